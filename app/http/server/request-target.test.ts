import { expect, test } from "vitest";
import { faultOfTarget, isGatewayPath, pathOf } from "./request-target";

const PLAIN = [
  "/",
  "/v1/chat/completions",
  "/v1/models?limit=1",
  "/.well-known/security.txt",
  "/a..b/...",
  "/v1/%zz",
  "/%761/models",
  "/legal/terms?next=/../x%2f%5c\\#",
  "/dashboard/models/vendor%2Fmodel",
  "/dashboard/models/vendor%2Fmodel/",
  "/v1/models/vendor%2Fmodel",
  "http://gw.example/v1/models",
  "*",
];
test.each(PLAIN)("%s is plain", (target) => expect(faultOfTarget(target)).toBeNull());

const AMBIGUOUS = [
  "/x/../v1/models",
  "/v1/..",
  "/./health",
  "/x/%2e%2E/v1/models",
  "/x/.%2e/v1/models",
  "/dashboard/models/..%2f..%2Fv1",
  "/dashboard/vendor%2Fmodel/keys",
  "/v1%2Fmodels",
  "/v1/models/%2fmodel",
  "/v1/models/vendor%2fmodel/x",
  "/V1/other/vendor%2fmodel",
  "/%76%31/models/vendor%2fmodel",
  "/x\\..\\v1/models",
  "/x%5cv1",
  "/health#",
  "http://gw.example/x/../v1/models",
  "http://gw.example/v1%2fmodels",
];
test.each(AMBIGUOUS)("%s is refused", (target) =>
  expect(faultOfTarget(target)).toMatchObject({ code: "invalid_request", status: 400 }),
);

test("200 query parameters are taken, and no more", () => {
  expect(faultOfTarget(`/pricing?${"a&".repeat(199)}a`)).toBeNull();
  expect(faultOfTarget(`/pricing?${"a&".repeat(200)}a`)).toMatchObject({ code: "request_too_large", status: 414 });
});

test("the gateway's paths are known in every spelling", () => {
  for (const path of ["/v1", "/v1/", "/v2/x", "//v1/models", "/V1/models", "/%761/x", "/health", "/HEALTH/", "/v1%2Fx"])
    expect([path, isGatewayPath(path)]).toEqual([path, true]);
  for (const path of ["/", "/v1x", "/v3/models", "/healthy", "/dashboard/v1", "/%"])
    expect([path, isGatewayPath(path)]).toEqual([path, false]);
});

test("the path of a URL is what stands before the query", () => {
  expect(pathOf("http://gw.example/v1/models?a=/b")).toBe("/v1/models");
  expect(pathOf("http://gw.example/v1#x?y")).toBe("/v1");
  expect(pathOf("http://gw.example//v1/models")).toBe("//v1/models");
  expect(pathOf("http://gw.example")).toBe("/");
});
