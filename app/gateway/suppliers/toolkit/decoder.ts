import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Opens a compressed answer as it comes. */
export type Decoder = {
  /** Whether more may come at once; otherwise `drain` says when. */
  write(chunk: Buffer): boolean;
  end(): void;
  pause(): void;
  resume(): void;
  /** It has more than it can open now. */
  readonly isFull: boolean;
};

/** What becomes of the bytes. `fail`: they were not what their header says. */
type Opened = { data(chunk: Buffer): void; end(): void; fail(cause: Error): void; drain(): void };

const DECODERS: Readonly<Record<string, () => ReturnType<typeof createGunzip>>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * A decoder for an answer whose header names one encoding; null for one that needs none. Suppliers are asked for none, but some
 * proxies in front of them compress all the same. Encodings inside of encodings are left as they came: no supplier sends them.
 */
export function decoderOf(encoding: string | string[] | undefined, opened: Opened): Decoder | null {
  const create =
    DECODERS[
      String(encoding ?? "")
        .trim()
        .toLowerCase()
    ];
  if (create === undefined) return null;
  const stream = create();
  stream.on("data", opened.data);
  stream.on("end", opened.end);
  stream.on("error", opened.fail);
  stream.on("drain", opened.drain);
  return {
    write: (chunk) => stream.write(chunk),
    end: () => void stream.end(),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    get isFull() {
      return stream.writableNeedDrain;
    },
  };
}
