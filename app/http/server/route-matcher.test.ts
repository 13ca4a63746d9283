import { expect, test } from "vitest";
import { matcherOf } from "./route-matcher";

const answers = (text: string) => ({ loader: () => new Response(text) });
const routes = Object.fromEntries(
  [
    ["routes/v1/chat/completions", "v1/chat/completions"],
    ["routes/v1/manage/keys/$keyId", "v1/manage/keys/:keyId"],
    ["routes/v1/manage/keys/$keyId/rotate", "v1/manage/keys/:keyId/rotate"],
    ["routes/v1/manage/keys/mine", "v1/manage/keys/mine"],
    ["routes/v1/unknown", "v1/*"],
    ["routes/health", "health"],
    ["routes/_public/home/page", "pricing"],
  ].map(([id, path]) => [id, { id, path, module: answers(id!) }]),
);
const match = matcherOf(routes as never);
const idOf = async (path: string) => {
  const found = match(path);
  return found && (await (await found.loader!({} as never)).text());
};

test("exact paths, with and without a trailing slash", async () => {
  expect(await idOf("/v1/chat/completions")).toBe("routes/v1/chat/completions");
  expect(await idOf("/v1/chat/completions/")).toBe("routes/v1/chat/completions");
  expect(await idOf("/health")).toBe("routes/health");
});

test("parameters are decoded, and the more specific route wins over the splat", async () => {
  expect(match("/v1/manage/keys/key_a%20b")?.params).toEqual({ keyId: "key_a b" });
  expect(match("/v1/manage/keys/%E0%A4%A")?.params).toEqual({ keyId: "%E0%A4%A" });
  expect(await idOf("/v1/manage/keys/x/rotate")).toBe("routes/v1/manage/keys/$keyId/rotate");
  expect(await idOf("/v1/manage/keys/mine")).toBe("routes/v1/manage/keys/mine");
  expect(await idOf("/v1/manage/keys/mine/rotate/")).toBe("routes/v1/manage/keys/$keyId/rotate");
  expect(match("/v1/manage/keys/__proto__")?.params.keyId).toBe("__proto__");
  expect(await idOf("/v1/nothing/here")).toBe("routes/v1/unknown");
  expect(await idOf("/v1/manage/keys//rotate")).toBe("routes/v1/unknown");
  expect(await idOf("/v1/chat/completions//")).toBe("routes/v1/unknown");
  expect(match("/V1/chat/completions")).toBeNull();
  expect(match("/v1/nothing/here")?.params).toEqual({});
  expect(await idOf("/v1/")).toBe("routes/v1/unknown");
});

test("pages belong to React Router", () => {
  expect(match("/pricing")).toBeNull();
  expect(match("/v1x")).toBeNull();
});
