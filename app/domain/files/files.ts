import { randomBytes } from "node:crypto";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { lockOwner } from "~/domain/keys/index.server";
import type { KeyOwner } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import { CannotOpen, seal, sealBytesWith, unseal, unsealBytesWith } from "~/sealing/sealing.server";
import { TimeSlice } from "~/values/time-slice";
import type { FilePage, FilePurpose, StoredFile } from "./shared";
import {
  deleteOver,
  deleteRow,
  extendExpiry,
  findPiece,
  findRow,
  findRows,
  insertFile,
  insertPiece,
  putReady,
  sumOf,
} from "./store";

/** Size of a piece in bytes; only the last piece of a file is smaller. */
const PIECE_BYTES = 256 * 1024;
/** Maximum number of files per owner, whatever their size. */
const MAX_FILES = 10_000;

const keyPlace = (id: string) => `stored_file:${id}:data_key`;
const piecePlace = (id: string, position: number) => `stored_file_piece:${id}:${position}:content`;

export type NewFile = {
  purpose: FilePurpose;
  filename: string;
  /** Retention in seconds. */
  seconds: number;
  content: AsyncIterable<Uint8Array>;
  /** Optional limits: the size of this file in bytes, and the maximum total of the owner's files. */
  room?: { bytes: number; ownerBytes: number };
};

/**
 * Encrypts and stores a file as a stream, with at most one piece in memory. It is hidden until `finishFile`; a file
 * that is never finished is purged. Null: the owner has too many files or bytes.
 * @throws AppError not_found when the person or organisation no longer exists
 */
export async function writeFile(db: Db, owner: KeyOwner, file: NewFile): Promise<{ id: string; bytes: number } | null> {
  const id = `file-${randomBytes(16).toString("hex")}`;
  const key = randomBytes(32);
  const { purpose, filename, seconds, room } = file;
  const dataKey = seal(key.toString("base64"), keyPlace(id));
  const isTaken = await inTransaction(db, async (tx) => {
    if (!(await lockOwner(tx, owner))) throw apiError("not_found");
    const stored = await sumOf(tx, owner);
    if (room !== undefined && (stored.files >= MAX_FILES || stored.bytes + room.bytes > room.ownerBytes)) return false;
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

/** Makes a written file visible to its owner. Null: it was deleted meanwhile, with its person or organisation. */
export const finishFile = (tx: Db, file: { id: string; bytes: number }): Promise<StoredFile | null> =>
  putReady(tx, file);

/** Returns a file by its id; null when the owner has no such file. */
export const findFile = (db: Db, owner: KeyOwner, id: string): Promise<StoredFile | null> => findRow(db, owner, id);

/** Returns a page of an owner's files; `hasMore`: there are further ones. */
export async function listFiles(
  db: Db,
  owner: KeyOwner,
  page: FilePage & { purpose: string | null },
): Promise<{ files: StoredFile[]; hasMore: boolean }> {
  const rows = await findRows(db, owner, { ...page, limit: page.limit + 1 });
  return { files: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
}

/**
 * Yields the bytes of a file in the range [`from`, `to`), piece by piece.
 * @throws AppError not_found when it does not exist, is deleted meanwhile, or no GW_SECRET decrypts it
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

/** Permanently deletes a file. Returns false when it does not exist. */
export const deleteFile = async (db: Db, owner: KeyOwner, id: string): Promise<boolean> =>
  (await deleteRow(db, owner, id)) > 0;

/** Extends a file's retention to at least the given seconds from now, for work in progress that needs it. */
export const extendFile = async (db: Db, owner: KeyOwner, id: string, seconds: number): Promise<void> => {
  await extendExpiry(db, owner, { id, seconds });
};

/** Deletes expired and unfinished files, at most `maximum`. Returns their number. */
export const purgeFiles = (db: Db, maximum: number): Promise<number> => deleteOver(db, maximum);

/** Yields the same bytes in pieces of equal length. */
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
