import { Writable } from "node:stream";

/** A stream that keeps what is written to it, and hands on all of it when its writer has come to the end. */
export function gathering(done: (bytes: Buffer<ArrayBuffer>) => void): Writable {
  const parts: Uint8Array[] = [];
  return new Writable({
    write(part: Uint8Array, _encoding, next) {
      parts.push(part);
      next();
    },
    final(next) {
      done(Buffer.concat(parts));
      next();
    },
  });
}
