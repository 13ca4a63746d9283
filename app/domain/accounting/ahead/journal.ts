import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, readFile, rename, stat, statfs, unlink } from "node:fs/promises";
import { join } from "node:path";
import { log } from "~/observe/log.server";
import { LinkLost } from "../link/sql-problem";
import type { Settlement } from "../shared";
import { fileNameOf } from "./process-file";
import { parseSettlement, writeSettlement } from "./settlement-line";

type Waiting = { line: string; resolve: () => void; reject: (error: unknown) => void };

export type JournalSizes = { waiting: number; refused: number; unreadable: number };
const KEPT = ["refused", "unreadable"] as const;

/** Below this much free space no call is admitted, so that the calls in flight can still be written. */
const MIN_FREE_BYTES = 16 * 1024 * 1024;
/** Age of a claim after which another process takes the file over. */
const CLAIM_MS = 60_000;
const REPLAY_AT_ONCE = 256;
/** Suffix that a claim adds to a file's name, with the suffix of an earlier release of the claim. */
const RETURNED = /(?:-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?\.jsonl\.\d+\..*$/;

/**
 * Settlements that the database could not accept, one line of JSON each, on disk before they are acknowledged. Any process with the
 * same folder replays them: it claims a file by renaming it. Booking is idempotent, so a line may be replayed twice. After each
 * `fsync` a writer checks that its file still has its name, so no line is lost to a parallel claim.
 */
export class Journal {
  readonly #folder: string;
  readonly #path: string;
  #queue: Waiting[] = [];
  #writing = false;
  #file: FileHandle | null = null;
  #goodBytes = 0;
  #replaying: Promise<number> | null = null;

  constructor(folder: string, instance: string) {
    this.#folder = folder;
    this.#path = join(folder, `${fileNameOf(instance)}.jsonl`);
  }

  /** Writes a settlement. Resolves once it is on disk; rejects when that fails. */
  append(settlement: Settlement): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ line: writeSettlement(settlement), resolve, reject });
      if (!this.#writing) void this.#write();
    });
  }

  /** Returns why the journal cannot be written now, or null if it can. */
  async check(): Promise<string | null> {
    try {
      await mkdir(this.#folder, { recursive: true });
      const { bavail, bsize } = await statfs(this.#folder);
      if (bavail * bsize < MIN_FREE_BYTES) return "the disk of the settlement journal is full";
      const probe = await open(join(this.#folder, `.probe-${process.pid}`), "w");
      try {
        await probe.write("probe\n");
        await probe.datasync();
      } finally {
        await probe.close();
      }
      return null;
    } catch (error) {
      log.error({ err: error }, "the settlement journal cannot be written");
      return "the settlement journal cannot be written";
    }
  }

  /** Books the settlements of all files in the folder. Returns their number. One replay at a time. */
  replay(book: (settlement: Settlement) => Promise<unknown>): Promise<number> {
    this.#replaying ??= this.#replay(book).finally(() => {
      this.#replaying = null;
    });
    return this.#replaying;
  }

  /** Bytes that wait to be booked, and bytes that cannot be booked and are retained for a person. */
  async sizes(): Promise<JournalSizes> {
    const sizes = { waiting: 0, refused: 0, unreadable: 0 };
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const kind = name.includes(".jsonl") ? "waiting" : KEPT.find((ending) => name.endsWith(`.${ending}`));
      if (kind !== undefined) sizes[kind] += (await stat(join(this.#folder, name)).catch(() => null))?.size ?? 0;
    }
    return sizes;
  }

  async close(): Promise<void> {
    await this.#file?.close().catch(() => undefined);
    this.#file = null;
  }

  /** Writes lines in groups: all lines that arrive during one `fsync` share the next. */
  async #write(): Promise<void> {
    this.#writing = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      const text = batch.map(({ line }) => line).join("");
      try {
        // A file that was claimed for replay in the meantime may have been read before the lines were there.
        while (!(await this.#writeTo(await this.#opened(), text)));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        await this.#abandonTorn();
        for (const { reject } of batch) reject(error);
      }
    }
    this.#writing = false;
  }

  async #opened(): Promise<FileHandle> {
    if (this.#file !== null) return this.#file;
    await mkdir(this.#folder, { recursive: true });
    this.#file = await open(this.#path, "a");
    this.#goodBytes = (await this.#file.stat()).size;
    // A line torn by an earlier crash ends here.
    if (this.#goodBytes > 0) await this.#file.write("\n");
    const folder = await open(this.#folder, "r");
    await folder.sync().finally(() => folder.close());
    return this.#file;
  }

  async #writeTo(file: FileHandle, text: string): Promise<boolean> {
    await file.appendFile(text);
    await file.datasync();
    const mine = await file.stat();
    const named = await stat(this.#path).catch(() => null);
    if (named?.ino === mine.ino && named.dev === mine.dev) {
      this.#goodBytes = mine.size;
      return true;
    }
    await this.close();
    return false;
  }

  /** Truncates a possibly incomplete line after a failed write, so that the next line begins cleanly. */
  async #abandonTorn(): Promise<void> {
    await this.#file?.truncate(this.#goodBytes).catch(() => undefined);
    await this.close();
  }

  async #replay(book: (settlement: Settlement) => Promise<unknown>): Promise<number> {
    const names = await readdir(this.#folder).catch(() => []);
    let booked = 0;
    for (const name of names) {
      const claimed = await this.#claim(name);
      if (claimed !== null) booked += await this.#replayFile(claimed, book);
    }
    return booked;
  }

  /** Claims a file for this process; null: another process has it, or it is no journal file. */
  async #claim(name: string): Promise<string | null> {
    const path = join(this.#folder, name);
    if (name.endsWith(".replay")) {
      const claimedMs = Number(name.split(".").at(-3));
      if (Date.now() - claimedMs < CLAIM_MS) return null;
    } else if (!name.endsWith(".jsonl")) {
      return null;
    }
    const base = name.slice(0, name.indexOf(".jsonl"));
    const claimed = join(this.#folder, `${base}.jsonl.${Date.now()}.${randomUUID()}.replay`);
    return rename(path, claimed).then(
      () => claimed,
      () => null,
    );
  }

  async #replayFile(path: string, book: (settlement: Settlement) => Promise<unknown>): Promise<number> {
    const lines = (await readFile(path, "utf8")).split("\n");
    const settlements: Settlement[] = [];
    const unreadable: string[] = [];
    for (const line of lines) {
      if (line === "") continue;
      const settlement = parseSettlement(line);
      if (settlement === null) unreadable.push(line);
      else settlements.push(settlement);
    }
    let later = 0;
    const refused: string[] = [];
    for (let from = 0; from < settlements.length; from += REPLAY_AT_ONCE) {
      const batch = settlements.slice(from, from + REPLAY_AT_ONCE);
      const results = await Promise.allSettled(batch.map((settlement) => book(settlement)));
      results.forEach((result, index) => {
        if (result.status === "fulfilled") return;
        if (isUnreachable(result.reason)) later += 1;
        else refused.push(writeSettlement(batch[index]!));
      });
    }
    // Settlements that the database refuses for good are retained for a person; the holds of these calls are in review.
    if (refused.length > 0) {
      log.error({ file: path, settlements: refused.length }, "settlements of the journal were refused by the database");
      await keepBeside(path, "refused", refused.join(""));
    }
    // A torn line was never acknowledged, and its call's hold is in review. It is retained in case the disk lost acknowledged data.
    if (later === 0 && unreadable.length > 0) {
      log.warn({ file: path, lines: unreadable.length }, "the settlement journal has torn lines");
      await keepBeside(path, "unreadable", `${unreadable.join("\n")}\n`);
    }
    if (later === 0) await unlink(path).catch(() => undefined);
    // The claim is released, so that any process can retry. The name must not grow each time: file systems allow 255 bytes, and
    // a file that cannot be renamed is never booked.
    else await rename(path, path.replace(RETURNED, `-${randomUUID()}.jsonl`)).catch(() => undefined);
    return settlements.length - refused.length - later;
  }
}

/** Appends to a file beside a claimed one; on disk on return. */
async function keepBeside(path: string, ending: string, text: string): Promise<void> {
  const file = await open(`${path.replace(/\.jsonl\..*$/, "")}.${ending}`, "a");
  try {
    await file.appendFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
}

const isUnreachable = (error: unknown): boolean => error instanceof Error && error.cause instanceof LinkLost;
