import { Writable } from "node:stream";

/** Returns a stream that collects the bytes written to it, and passes all of them to `done` at the end. */
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
