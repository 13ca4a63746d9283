import { beforeEach, expect, test, vi } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { beginBatch, refuseBatch } from "~/domain/batches/index.server";
import type { Batch } from "~/domain/batches/shared";
import { extendFile } from "~/domain/files/index.server";
import { validateBatch } from "./validate";

const world = vi.hoisted(() => ({ file: "", routeIds: [] as (number | null)[] }));
vi.mock("~/connection/db.server", () => ({ db: () => null }));
vi.mock("~/domain/batches/index.server", () => ({ beginBatch: vi.fn(), refuseBatch: vi.fn() }));
vi.mock("~/domain/files/index.server", () => ({
  extendFile: vi.fn(),
  readFile: async function* () {
    yield Buffer.from(world.file);
  },
}));
vi.mock("~/domain/keys/index.server", () => ({ callerOfKey: async () => ({}) }));
vi.mock("../route", () => ({ route: () => ({}) }));
vi.mock("./suppliers/target", () => ({ batchRouteOf: () => world.routeIds.shift() ?? null }));

beforeEach(() => {
  vi.clearAllMocks();
  setConfig(readConfig({}));
});

const BATCH = { id: "batch_1", inputFileId: "file-1", keyId: 1, endpoint: "/v1/chat/completions" } as Batch;
const line = (n: number) => {
  const body = { model: "m", messages: [{ role: "user", content: "hello" }] };
  return JSON.stringify({ custom_id: `line-${n}`, method: "POST", url: BATCH.endpoint, body });
};

async function validate(lines: readonly string[], routeIds: (number | null)[] = []): Promise<void> {
  world.file = lines.join("\n");
  world.routeIds = routeIds;
  await validateBatch(BATCH, new AbortController().signal);
}

test("of a file with many wrong lines the first hundred are told, each with its number", async () => {
  const lines = Array.from({ length: 150 }, () => "{not json");
  await validate([line(1), ...lines]);
  expect(beginBatch).not.toHaveBeenCalled();
  const [, id, errors] = vi.mocked(refuseBatch).mock.calls[0]!;
  expect(id).toBe(BATCH.id);
  expect(errors.map((error) => error.line)).toEqual(Array.from({ length: 100 }, (_, index) => index + 2));
});

test("a file whose lines suppliers work on is kept for three days at least; what is carried out as calls needs no more than it has", async () => {
  await validate([line(1), line(2)], [null, null]);
  expect(extendFile).not.toHaveBeenCalled();
  await validate([line(1), line(2)], [null, 7]);
  expect(extendFile).toHaveBeenCalledExactlyOnceWith(null, BATCH, BATCH.inputFileId, 3 * 24 * 60 * 60);
  const begun = vi.mocked(beginBatch).mock.calls.map(([, , lines]) => lines.map(({ routeId }) => routeId));
  expect(begun).toEqual([
    [null, null],
    [null, 7],
  ]);
  expect(refuseBatch).not.toHaveBeenCalled();
});
