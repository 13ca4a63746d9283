import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { staticFiles } from "./static-files";

const SCRIPT = "const a = 1;\n".repeat(500);
let folder: string;
let files: ReturnType<typeof staticFiles>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gw-static-"));
  mkdirSync(join(folder, "client/assets"), { recursive: true });
  writeFileSync(join(folder, "client/assets/app-abc.js"), SCRIPT);
  writeFileSync(join(folder, "client/font.woff2"), Buffer.alloc(2_000, 7));
  writeFileSync(join(folder, "secret.txt"), "secret");
  mkdirSync(join(folder, "client/.git"));
  for (const hidden of [".env", "assets/.env", ".git/config"]) writeFileSync(join(folder, "client", hidden), "secret");
  files = staticFiles(join(folder, "client"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  files(new Request(`https://gw.example${path}`, { headers, method }));

describe("a built file", () => {
  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("comes as %s where that is taken, the same each time", async (coding, read) => {
    for (let time = 0; time < 2; time += 1) {
      const response = await get("/assets/app-abc.js", { "accept-encoding": coding });
      expect(response?.headers.get("content-encoding")).toBe(coding);
      expect(response?.headers.get("vary")).toBe("Accept-Encoding");
      const bytes = Buffer.from(await response!.arrayBuffer());
      expect(bytes.length).toBe(Number(response?.headers.get("content-length")));
      expect(read(bytes).toString()).toBe(SCRIPT);
    }
  });

  test("comes as it is otherwise, and fonts always do", async () => {
    expect(await (await get("/assets/app-abc.js"))?.text()).toBe(SCRIPT);
    const font = await get("/font.woff2", { "accept-encoding": "br, gzip" });
    expect(font?.headers.get("content-encoding")).toBeNull();
    expect(font?.headers.get("content-type")).toBe("font/woff2");
  });

  test("is not sniffed, may do nothing when it is opened, and is kept as long as its name allows", async () => {
    const asset = await get("/assets/app-abc.js");
    expect(asset?.headers.get("x-content-type-options")).toBe("nosniff");
    expect(asset?.headers.get("content-security-policy")).toContain("sandbox");
    expect(asset?.headers.get("cache-control")).toContain("immutable");
    expect((await get("/font.woff2"))?.headers.get("cache-control")).toBe("public, max-age=3600");
  });

  test("is not sent again to who has it, in that coding", async () => {
    const first = await get("/assets/app-abc.js", { "accept-encoding": "br" });
    const etag = first?.headers.get("etag") as string;
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/assets/app-abc.js", { "accept-encoding": "br", "if-none-match": known });
      expect(again?.status).toBe(304);
    }
    const other = await get("/assets/app-abc.js", { "accept-encoding": "gzip", "if-none-match": etag });
    expect(other?.status).toBe(200);
  });

  test("has no body for HEAD", async () => {
    const response = await get("/assets/app-abc.js", {}, "HEAD");
    expect(response?.headers.get("content-length")).toBe(String(SCRIPT.length));
    expect(await response?.text()).toBe("");
  });
});

test.each([
  "/",
  "/assets",
  "/assets/",
  "/../secret.txt",
  "/%2e%2e/secret.txt",
  "/..%2fsecret.txt",
  "/assets/%00",
  "/.env",
  "/assets/.env",
  "/.git/config",
  "/%",
])("%s is no file", (path) => {
  expect(get(path)).toBeUndefined();
});

test("nothing but reading is answered", () => {
  expect(get("/font.woff2", {}, "POST")).toBeUndefined();
});
