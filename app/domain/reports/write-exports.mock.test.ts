import { beforeEach, expect, test, vi } from "vitest";
import type { Db } from "~/connection/db.server";
import type { Viewpoint } from "~/domain/accounts/shared";
import type { ReportRow } from "./answer";
import { MAX_ROWS } from "./encode";
import { claimExport, insertPiece, putDone, putFailed } from "./export-store";
import { EXPORT_FORMATS, type ExportFormat } from "./shared";
import { writeExports } from "./write-exports";

const world = vi.hoisted(() => ({ rows: 0, pageRows: 1, piece: new Uint8Array(0) }));
// Hashing half a gigabyte is slow, so the hash is mocked.
vi.mock("node:crypto", async (original) => ({
  ...(await original<object>()),
  createHash: () => ({ update: () => undefined, digest: () => "sha256" }),
}));
vi.mock("~/connection/db.server", async (original) => ({
  ...(await original<object>()),
  onSnapshot: (work: (snapshot: unknown) => unknown) => work({}),
}));
vi.mock("./export-store", () => ({
  claimExport: vi.fn(),
  insertPiece: vi.fn(async () => true),
  isWanted: async () => true,
  putDone: vi.fn(async () => true),
  putFailed: vi.fn(),
}));
vi.mock("./encode", async (original) => ({
  ...(await original<object>()),
  encoderOf: () => ({ begin: () => new Uint8Array(0), rows: () => world.piece, end: () => new Uint8Array(0) }),
}));
vi.mock("./answer", async (original) => ({
  ...(await original<object>()),
  askedBy: () => ({}),
  progressOf: () => 50,
  reportRows: async function* () {
    const page = Array.from({ length: world.pageRows }, () => ({}) as ReportRow);
    for (let left = world.rows; left > 0; left -= page.length) yield page.slice(0, left);
  },
}));
beforeEach(() => void vi.clearAllMocks());

const DB = {} as Db;

/** Writes one export of `world.rows` rows. Returns the number of finished files. */
function write(format: ExportFormat): Promise<number> {
  const viewer = { userId: 1 } as Viewpoint;
  const claimed = { id: "exp_1", attempt: 1, asked: {}, asOf: new Date(), format, viewer };
  vi.mocked(claimExport).mockResolvedValueOnce(claimed).mockResolvedValueOnce(null);
  return writeExports(DB, new AbortController().signal);
}

test.each(EXPORT_FORMATS)(
  "a file of the format %s has as many rows as it can have, and one more is too many",
  async (format) => {
    Object.assign(world, { pageRows: 500, piece: new Uint8Array(0), rows: MAX_ROWS[format] });
    expect(await write(format)).toBe(1);
    expect(vi.mocked(putDone).mock.calls[0]?.[2]).toMatchObject({ rows: MAX_ROWS[format] });
    world.rows += 1;
    expect(await write(format)).toBe(0);
    expect(putFailed).toHaveBeenCalledExactlyOnceWith(DB, expect.objectContaining({ id: "exp_1" }), "too_large");
  },
  60_000,
);

test("a text has two million rows, and a workbook as many as a sheet has below its header", () => {
  expect(MAX_ROWS).toEqual({ csv: 2_000_000, jsonl: 2_000_000, xlsx: 1_048_575 });
});

test("a file has 512 MiB, and with one piece more it is too large", async () => {
  const piece = new Uint8Array(256 * 1024);
  Object.assign(world, { pageRows: 1, piece, rows: (512 * 1024 * 1024) / piece.length });
  expect(await write("csv")).toBe(1);
  expect(insertPiece).toHaveBeenCalledTimes(world.rows);
  world.rows += 1;
  expect(await write("csv")).toBe(0);
  expect(putFailed).toHaveBeenCalledExactlyOnceWith(DB, expect.objectContaining({ id: "exp_1" }), "too_large");
}, 60_000);
