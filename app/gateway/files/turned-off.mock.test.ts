import { beforeEach, expect, test, vi } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { createBatch } from "~/domain/batches/index.server";
import { findFile, writeFile } from "~/domain/files/index.server";
import { aCaller } from "../__fixtures__/fake-suppliers";
import { batches } from "../batches/serve";
import { files } from "./serve";

vi.mock("../authenticate", () => ({ authenticate: async () => aCaller() }));
vi.mock("../allow-origin", () => ({ allowOrigin: () => undefined }));
vi.mock("~/connection/db.server", () => ({ db: () => null }));
vi.mock("~/domain/files/index.server", () => ({
  findFile: vi.fn(async () => null),
  writeFile: vi.fn(async () => null),
  listFiles: async () => ({ files: [], hasMore: false }),
}));
vi.mock("~/domain/batches/index.server", () => ({ createBatch: vi.fn(), listBatches: vi.fn() }));
beforeEach(() => void vi.clearAllMocks());

function upload(): Request {
  const body = new FormData();
  body.set("purpose", "batch");
  body.set("file", new Blob(["{}"]), "lines.jsonl");
  return new Request("http://gw/v1/files", { method: "POST", body });
}
function begin(): Request {
  const body = JSON.stringify({ input_file_id: "file-1", endpoint: "/v1/responses", completion_window: "24h" });
  return new Request("http://gw/v1/batches", { method: "POST", headers: { "content-type": "application/json" }, body });
}

test.each([
  ["a file", files, upload],
  ["a batch", batches, begin],
] as const)("GW_FILES_DAYS=0: %s is refused before anything of it is read or kept", async (_, endpoint, request) => {
  setConfig(readConfig({ GW_FILES_DAYS: "0" }));
  const asked = request();
  const response = await endpoint({ request: asked, params: {} });
  expect([response.status, (await response.json()).error.code]).toEqual([501, "not_implemented"]);
  expect(asked.bodyUsed).toBe(false);
  for (const touched of [writeFile, findFile, createBatch]) expect(touched).not.toHaveBeenCalled();

  // The setting causes the rejection: with files enabled the status differs.
  setConfig(readConfig({ GW_FILES_DAYS: "1" }));
  expect((await endpoint({ request: request(), params: {} })).status).not.toBe(501);
});

test("GW_FILES_DAYS=0: the list of files is there, and empty", async () => {
  setConfig(readConfig({ GW_FILES_DAYS: "0" }));
  const response = await files({ request: new Request("http://gw/v1/files"), params: {} });
  expect([response.status, await response.json()]).toMatchObject([200, { object: "list", data: [] }]);
});
