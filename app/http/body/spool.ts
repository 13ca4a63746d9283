import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";

/** Bytes per disk read; larger than a socket's buffer, so that a writer waits until each piece is sent. */
const PIECE_BYTES = 128 * 1024;

/**
 * Bytes on disk instead of in memory: written once, readable any number of times, also by several readers concurrently.
 * The file is unlinked, so the system removes it when the process ends, even by a crash.
 */
export class Spool {
  readonly #file: FileHandle;
  #size = 0;
  #closed = false;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Creates an empty spool on the disk of `folder`. */
  static async open(folder: string): Promise<Spool> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, randomUUID());
    const file = await open(path, "wx+", 0o600);
    try {
      await unlink(path);
    } catch (error) {
      await file.close();
      throw error;
    }
    return new Spool(file);
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  async append(bytes: Buffer): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, written, bytes.length - written, this.#size);
      written += bytesWritten;
      this.#size += bytesWritten;
    }
  }

  /** Reads up to `length` bytes from `position`; fewer only at the end. */
  async read(position: number, length: number): Promise<Buffer> {
    const bytes = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#size - position)));
    return bytes.subarray(0, await this.#fill(bytes, position));
  }

  /**
   * Yields all bytes from the start. A piece is valid only until two more are read: two buffers serve the whole file,
   * so that sending it creates no garbage. Read the next piece when the last one is written.
   */
  async *pieces(): AsyncGenerator<Buffer, void, undefined> {
    const buffers = [Buffer.allocUnsafeSlow(PIECE_BYTES), Buffer.allocUnsafeSlow(PIECE_BYTES)] as const;
    for (let position = 0, turn = 0; position < this.#size; turn += 1) {
      const buffer = buffers[turn % 2]!;
      const length = await this.#fill(buffer.subarray(0, Math.min(PIECE_BYTES, this.#size - position)), position);
      position += length;
      yield buffer.subarray(0, length);
    }
  }

  async #fill(bytes: Buffer, position: number): Promise<number> {
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.#file.read(bytes, filled, bytes.length - filled, position + filled);
      if (bytesRead === 0) throw new Error("the spooled file is shorter than what was written to it");
      filled += bytesRead;
    }
    return filled;
  }

  /** Frees the disk space. Readers in flight fail. Safe to repeat. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#file.close();
  }
}
