import { expect, test } from "vitest";
import { declared } from "~/http/declaration";
import { methodsOf, operationsOf, publishedPath } from "./operations-of";

test.each([
  ["", "/"],
  ["dashboard/keys/:keyId", "/dashboard/keys/{key_id}"],
  ["v1/manage/keys/:keyId/rotate", "/v1/manage/keys/{key_id}/rotate"],
  ["oauth/idp-a/login/callback", "/oauth/idp-a/login/callback/"],
])("%s is published as %s", (path, published) => {
  expect(publishedPath(path)).toBe(published);
});

const handler = () => new Response();
const Page = () => null;

test("what a module can be asked follows from what it exports, unless its handlers say more", () => {
  expect(methodsOf({ default: Page })).toEqual(["GET"]);
  expect(methodsOf({ default: Page, loader: handler, action: () => handler() })).toEqual(["GET", "POST"]);
  expect(methodsOf({ loader: handler })).toEqual(["GET"]);
  expect(methodsOf({ action: handler })).toEqual(["POST"]);
  // One handler for all methods: it answers unsupported ones with method_not_allowed itself.
  expect(methodsOf({ loader: handler, action: handler })).toEqual(["GET"]);
  const endpoint = declared(() => new Response(), { methods: ["PATCH", "DELETE"] });
  expect(methodsOf({ loader: endpoint, action: endpoint })).toEqual(["PATCH", "DELETE"]);
  const refusing = declared(() => new Response(), { methods: [] });
  expect(methodsOf({ loader: handler, action: refusing })).toEqual(["GET"]);
});

test("a catch-all is no operation", () => {
  expect(operationsOf({ path: "v1/*", module: { loader: handler } })).toEqual([]);
});
