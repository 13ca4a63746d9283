import { Transform, type TransformCallback } from "node:stream";

const AT_ONCE_BYTES = 64 * 1024;

/**
 * Hands on what is written to it in pieces of 64 KiB, or less when its writer says that nothing more comes for the moment. React writes two kilobytes at a
 * time, each of which would go through every stream behind it, and to the connection, by itself.
 */
export class GatheringStream extends Transform {
  #parts: Buffer[] = [];
  #bytes = 0;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#parts.push(chunk);
    this.#bytes += chunk.byteLength;
    if (this.#bytes >= AT_ONCE_BYTES) this.#handOn();
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#handOn();
    done();
  }

  /** React calls it when it has written all that is ready. */
  flush(): void {
    this.#handOn();
  }

  #handOn(): void {
    if (this.#bytes === 0) return;
    const gathered = Buffer.concat(this.#parts, this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    this.push(gathered);
  }
}
