import { apiError } from "~/errors/app-error";
import { connectionOf, headerOf } from "~/http/server/connection";

/** Bodies up to this length need no room. */
const SHORT_BYTES = 256 * 1024;

type Waiting = { keyId: number; bytes: number; begin: () => void };

/**
 * Bounds the bytes of long request bodies that one process keeps at once. A body is in memory three or four times (its
 * text, its parsed value, the outgoing body) from its arrival until its call ends. A body without room waits unread in
 * the buffers of the client and the operating system. Of the waiting bodies, the key with the fewest bytes in progress
 * is next.
 */
export class LongBodies {
  readonly #mostBytes: number;
  #bytes = 0;
  readonly #bytesOfKey = new Map<number, number>();
  #waiting: Waiting[] = [];

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Waits for room for a body of this many bytes and returns the function that releases it, which may be repeated. A
   * body that is larger than the total room gets all of it alone.
   * @throws AppError capacity_exceeded if no room is free within `withinMs`.
   */
  async room(keyId: number, { bytes, withinMs }: { bytes: number; withinMs: number }): Promise<() => void> {
    if (bytes <= SHORT_BYTES) return NOTHING;
    if (this.#waiting.length > 0 || !this.#fits(bytes)) await this.#wait({ keyId, bytes, withinMs });
    else this.#take(keyId, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#take(keyId, -bytes);
      isHeld = false;
      this.#beginNext();
    };
  }

  #fits(bytes: number): boolean {
    return this.#bytes === 0 || this.#bytes + bytes <= this.#mostBytes;
  }

  #take(keyId: number, bytes: number): void {
    this.#bytes += bytes;
    const ofKey = (this.#bytesOfKey.get(keyId) ?? 0) + bytes;
    if (ofKey === 0) this.#bytesOfKey.delete(keyId);
    else this.#bytesOfKey.set(keyId, ofKey);
  }

  #wait({ keyId, bytes, withinMs }: { keyId: number; bytes: number; withinMs: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(patience);
        resolve();
      };
      const waiting = { keyId, bytes, begin };
      const patience = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== waiting);
        this.#beginNext();
        reject(apiError("capacity_exceeded"));
      }, withinMs);
      this.#waiting.push(waiting);
    });
  }

  #beginNext(): void {
    for (;;) {
      const next = this.#waiting.reduce<Waiting | null>(
        (fewest, each) => (fewest === null || this.#ofKey(each) < this.#ofKey(fewest) ? each : fewest),
        null,
      );
      if (next === null || !this.#fits(next.bytes)) return;
      this.#waiting = this.#waiting.filter((each) => each !== next);
      this.#take(next.keyId, next.bytes);
      next.begin();
    }
  }

  #ofKey({ keyId }: Waiting): number {
    return this.#bytesOfKey.get(keyId) ?? 0;
  }
}

const NOTHING = () => undefined;

let bodies: LongBodies | null = null;

/**
 * Waits for room for the request's body and keeps it until the answer is complete or the client has left. A compressed
 * body, or one without Content-Length, counts with the maximum length.
 * @throws AppError capacity_exceeded
 */
export function roomForBody(
  request: Request,
  keyId: number,
  limits: { jsonBodyBytes: number; longBodiesBytes: number; requestTimeoutMs: number },
): Promise<void> | undefined {
  const connection = connectionOf(request);
  if (connection === undefined) return;
  // The decompressed length of a compressed body is not known in advance.
  const encoding = headerOf(request, "content-encoding");
  const isOpen = encoding === null || /^(identity)?$/i.test(encoding);
  const length = headerOf(request, "content-length");
  const announced = isOpen && length !== null ? Number(length) : limits.jsonBodyBytes;
  // The reader rejects a body above the limit before it is read.
  if (announced > limits.jsonBodyBytes) return;
  if (announced <= SHORT_BYTES) return;
  bodies ??= new LongBodies(limits.longBodiesBytes);
  return bodies.room(keyId, { bytes: announced, withinMs: limits.requestTimeoutMs }).then((free) => {
    if (connection.outgoing.destroyed) free();
    else connection.outgoing.once("close", free);
  });
}
