import { apiError } from "~/errors/app-error";
import { connectionOf, headerOf } from "~/http/connection";

/** Bodies up to this length are read at once. */
const SHORT_BYTES = 256 * 1024;

type Waiting = { keyId: number; bytes: number; begin: () => void };

/**
 * How many bytes of long request bodies one process keeps at once. A body is in memory three or four times over (its text,
 * its value, what is on the way to the supplier), from its arrival until its call is over. What has no room waits unread, in
 * the client's and the system's buffers; of those that wait, the key with the least bytes under way comes first.
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
   * Resolves when there is room for a body of so many bytes, with what gives it back, which may be called again. A body that
   * is longer than all the room there is has it for itself.
   * @throws AppError capacity_exceeded when there is none in `withinMs`.
   */
  async room(keyId: number, { bytes, withinMs }: { bytes: number; withinMs: number }): Promise<() => void> {
    if (bytes <= SHORT_BYTES) return NOTHING;
    if (this.#waiting.length > 0 || !this.#fits(bytes)) await this.#wait({ keyId, bytes, withinMs });
    else this.#take(keyId, bytes);
    let taken = true;
    return () => {
      if (taken) this.#take(keyId, -bytes);
      taken = false;
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
        (least, each) => (least === null || this.#ofKey(each) < this.#ofKey(least) ? each : least),
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
 * Waits for room for the request's body and keeps it until the answer is complete or the client has gone. A body whose
 * length is not announced, or that is compressed, counts as the longest.
 * @throws AppError capacity_exceeded
 */
export function roomForBody(
  request: Request,
  keyId: number,
  limits: { jsonBodyBytes: number; longBodiesBytes: number; requestTimeoutMs: number },
): Promise<void> | undefined {
  const connection = connectionOf(request);
  if (connection === undefined) return;
  // Of a compressed body nobody knows how long it is once it is opened.
  const encoding = headerOf(request, "content-encoding");
  const isOpen = encoding === null || /^(identity)?$/i.test(encoding);
  const length = headerOf(request, "content-length");
  const announced = isOpen && length !== null ? Number(length) : limits.jsonBodyBytes;
  // What is too long is refused before it is read.
  if (announced > limits.jsonBodyBytes) return;
  if (announced <= SHORT_BYTES) return;
  bodies ??= new LongBodies(limits.longBodiesBytes);
  return bodies.room(keyId, { bytes: announced, withinMs: limits.requestTimeoutMs }).then((free) => {
    if (connection.outgoing.destroyed) free();
    else connection.outgoing.once("close", free);
  });
}
