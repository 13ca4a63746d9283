import type { Transform } from "node:stream";
import * as zlib from "node:zlib";

/** Decompresses an answer as it arrives. */
export type Decoder = {
  /** Returns whether the caller may continue at once; if not, `drain` is called later. */
  write(chunk: Buffer): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  /** Its input buffer is full. */
  readonly isFull: boolean;
};

/** Receiver of the decompressed bytes. `fail`: they do not match their header. */
type Opened = { data(chunk: Buffer): void; end(): void; fail(cause: Error): void; drain(): void };

/**
 * Returns the decompressor for an encoding, by the first byte of an answer; null if the bytes are not compressed
 * despite the header.
 */
type Opening = (first: number) => (() => Transform) | null;

/** Only in newer versions of Node. */
const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };

/** First characters of JSON and of events; gzip and zstd data never begin with them. */
const PLAIN = /[{[:de\s]/;
const unlessPlain =
  (create: () => Transform): Opening =>
  (first) =>
    PLAIN.test(String.fromCharCode(first)) ? null : create;

const gzip = unlessPlain(zlib.createGunzip);

const OPENINGS: Readonly<Record<string, Opening>> = {
  gzip,
  "x-gzip": gzip,
  // Some servers omit the zlib header.
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate : zlib.createInflateRaw),
  br: () => zlib.createBrotliDecompress,
  ...(createZstdDecompress === undefined ? {} : { zstd: unlessPlain(createZstdDecompress) }),
};

/**
 * Creates the decoder for an answer with one content encoding; null if none is needed. gw requests no compression, but
 * some proxies in front of suppliers compress anyway, and some decompress an answer but keep its header. Nested
 * encodings are passed on unchanged: no supplier sends them.
 */
export function decoderOf(encoding: string | string[], opened: Opened): Decoder | null {
  const names = String(encoding)
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "" && name !== "identity");
  const opening = names.length === 1 ? OPENINGS[names[0]!] : undefined;
  return opening === undefined ? null : new Opener(opening, opened);
}

class Opener implements Decoder {
  readonly #opening: Opening;
  readonly #opened: Opened;
  #isAsItCame = false;
  #stream: Transform | null = null;
  #isPaused = false;

  constructor(opening: Opening, opened: Opened) {
    this.#opening = opening;
    this.#opened = opened;
  }

  get isFull(): boolean {
    return this.#stream?.writableNeedDrain ?? false;
  }

  write(chunk: Buffer): boolean {
    if (chunk.length === 0) return true;
    if (this.#stream === null && !this.#isAsItCame) this.#begin(chunk[0]!);
    if (this.#stream !== null) return this.#stream.write(chunk);
    this.#opened.data(chunk);
    return true;
  }

  end(): void {
    if (this.#stream === null) this.#opened.end();
    else this.#stream.end();
  }

  pause(): void {
    this.#isPaused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#stream?.resume();
  }

  #begin(first: number): void {
    const create = this.#opening(first);
    if (create === null) {
      this.#isAsItCame = true;
      return;
    }
    const stream = create();
    this.#stream = stream;
    stream.on("data", this.#opened.data);
    stream.on("end", this.#opened.end);
    stream.on("error", this.#opened.fail);
    stream.on("drain", this.#opened.drain);
    if (this.#isPaused) stream.pause();
  }
}
