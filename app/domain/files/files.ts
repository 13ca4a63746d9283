import { randomBytes } from "node:crypto";
import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { lockOwner } from "~/domain/keys/index.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { CannotOpen, seal, sealBytesWith, unseal, unsealBytesWith } from "~/sealing.server";
import { TimeSlice } from "~/time-slice";
import type { FilePage, FilePurpose, StoredFile } from "./shared";
import {
  deleteOver,
  deleteRow,
  findPiece,
  findRow,
  findRows,
  insertFile,
  insertPiece,
  putKept,
  putReady,
  sumOf,
} from "./store";

/** Bytes of a piece; only the last one of a file has fewer. */
const PIECE_BYTES = 256 * 1024;
/** So many files are kept for one owner, however small they are. */
const MAX_FILES = 10_000;

const keyPlace = (id: string) => `stored_file:${id}:data_key`;
const piecePlace = (id: string, position: number) => `stored_file_piece:${id}:${position}:content`;

export type NewFile = {
  purpose: FilePurpose;
  filename: string;
  /** For how long it is kept. */
  seconds: number;
  content: AsyncIterable<Uint8Array>;
  /** Where it is bounded: the bytes that it has, and those that all files of the owner may have together. */
  room?: { bytes: number; ownerBytes: number };
};

/**
 * Encrypts and stores a file as it comes, so that no more of it than a piece is in memory. Nobody sees it before `finishFile`; what is
 * never finished is purged. Null: the owner has too many files or bytes.
 * @throws AppError not_found where person or organisation are gone
 */
export async function writeFile(db: Db, owner: KeyOwner, file: NewFile): Promise<{ id: string; bytes: number } | null> {
  const id = `file-${randomBytes(16).toString("hex")}`;
  const key = randomBytes(32);
  const { purpose, filename, seconds, room } = file;
  const dataKey = seal(key.toString("base64"), keyPlace(id));
  const isTaken = await inTransaction(db, async (tx) => {
    if (!(await lockOwner(tx, owner))) throw apiError("not_found");
    const held = await sumOf(tx, owner);
    if (room !== undefined && (held.files >= MAX_FILES || held.bytes + room.bytes > room.ownerBytes)) return false;
    await insertFile(tx, owner, { id, purpose, filename, dataKey, seconds, bytes: room?.bytes ?? 0 });
    return true;
  });
  if (!isTaken) return null;
  let position = 0;
  let bytes = 0;
  const slice = new TimeSlice();
  for await (const piece of inPieces(file.content)) {
    if (slice.isOver) await slice.next();
    bytes += piece.length;
    await insertPiece({ id, position, content: sealBytesWith(key, piece, piecePlace(id, position)) });
    position += 1;
  }
  return { id, bytes };
}

/** Shows a file that is written to its owner. Null: it is gone meanwhile, with its person or organisation. */
export const finishFile = (tx: Db, file: { id: string; bytes: number }): Promise<StoredFile | null> =>
  putReady(tx, file);

/** A file by its id; null for one that is not there, which another owner's never is. */
export const findFile = (db: Db, owner: KeyOwner, id: string): Promise<StoredFile | null> => findRow(db, owner, id);

/** An owner's files; `hasMore`: there are some behind these. */
export async function listFiles(
  db: Db,
  owner: KeyOwner,
  page: FilePage & { purpose: string | null },
): Promise<{ files: StoredFile[]; hasMore: boolean }> {
  const rows = await findRows(db, owner, { ...page, limit: page.limit + 1 });
  return { files: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/**
 * The bytes of a file from one place to before another, piece by piece as they are taken.
 * @throws AppError not_found where it is not there, goes meanwhile, or no GW_SECRET opens it
 */
export async function* readFile(
  db: Db,
  owner: KeyOwner,
  { id, from = 0, to = Number.MAX_SAFE_INTEGER }: { id: string; from?: number; to?: number },
): AsyncGenerator<Buffer, void, undefined> {
  const file = await findRow(db, owner, id);
  if (file === null) throw apiError("not_found");
  const end = Math.min(to, file.bytes);
  const slice = new TimeSlice();
  let key: Buffer | null = null;
  for (let at = from; at < end; ) {
    if (slice.isOver) await slice.next();
    const position = Math.floor(at / PIECE_BYTES);
    const row = await findPiece(id, position);
    if (row === null) throw apiError("not_found");
    key ??= opened(() => Buffer.from(unseal(file.dataKey, keyPlace(id)), "base64"));
    const piece = opened(() => unsealBytesWith(key as Buffer, row, piecePlace(id, position)));
    const start = position * PIECE_BYTES;
    const part = piece.subarray(at - start, Math.min(end - start, piece.length));
    if (part.length === 0) throw new Error("a stored file is shorter than it should be");
    yield part;
    at += part.length;
  }
}

/** Deletes a file for good. False: it was not there. */
export const deleteFile = async (db: Db, owner: KeyOwner, id: string): Promise<boolean> =>
  (await deleteRow(db, owner, id)) > 0;

/** Keeps a file for so many seconds from now at least: something under way needs it. */
export const keepFile = async (db: Db, owner: KeyOwner, id: string, seconds: number): Promise<void> => {
  await putKept(db, owner, { id, seconds });
};

/** Deletes files whose time is over and those that were never finished, `maximum` at most. Returns how many. */
export const purgeFiles = (db: Db, maximum: number): Promise<number> => deleteOver(db, maximum);

/** The same bytes in pieces of one length. */
async function* inPieces(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let piece = Buffer.allocUnsafe(PIECE_BYTES);
  let filled = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + PIECE_BYTES - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < PIECE_BYTES) continue;
      yield piece;
      piece = Buffer.allocUnsafe(PIECE_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

function opened(open: () => Buffer): Buffer {
  try {
    return open();
  } catch (cause) {
    if (cause instanceof CannotOpen) throw apiError("not_found", { cause });
    throw cause;
  }
}
