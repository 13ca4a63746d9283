import type { LiveStream } from "../call/live-stream";
import type { ClientEnd } from "./client-sink";

/** A comment line: it keeps proxies and clients from giving up on a silent stream, and every SSE reader skips it. */
export const COMMENT = Buffer.from(": keep-alive\n\n");
export const HEARTBEAT_AFTER_MS = 15_000;
/** A client that takes nothing for this long is given up. */
const STALLED_AFTER_MS = 60_000;
const TICK_MS = 1_000;
/** Every so many ticks it is noted how far each stream has come. */
const CHECKPOINT_TICKS = 5;

/** The client's side of an open stream. */
type OpenEnd = {
  client: ClientEnd;
  /** Fills silence in it; null for streams that have nothing for that. */
  beat: Buffer | null;
  /** Called every few seconds, to note how far the stream has come; absent: nothing is noted. */
  checkpoint?: () => void;
};

type Entry = Required<OpenEnd> & { beatAt: number };

const open = new Map<LiveStream, Entry>();
let ticker: NodeJS.Timeout | null = null;
let ticks = 0;
const NOTHING = () => undefined;

/** The streams in flight: one ticker for all of them sends heartbeats and gives up clients that stopped reading. */
export const openStreams = {
  add(live: LiveStream, { client, beat, checkpoint = NOTHING }: OpenEnd): void {
    open.set(live, { client, beatAt: performance.now(), beat, checkpoint });
    if (ticker !== null) return;
    ticker = setInterval(tick, TICK_MS);
    ticker.unref();
  },

  delete(live: LiveStream): void {
    open.delete(live);
    if (open.size > 0 || ticker === null) return;
    clearInterval(ticker);
    ticker = null;
  },

  count: (): number => open.size,

  /** Ends every stream with an error event; each is settled as far as it came. */
  drain(): void {
    for (const live of [...open.keys()]) live.drain();
  },
};

function tick(): void {
  const now = performance.now();
  ticks += 1;
  const isNoted = ticks % CHECKPOINT_TICKS === 0;
  for (const [live, entry] of open) {
    if (isNoted) entry.checkpoint();
    if (live.stalledSince !== null) {
      if (now - live.stalledSince > STALLED_AFTER_MS) live.abort();
      continue;
    }
    if (entry.beat === null || now - Math.max(live.lastByteAt, entry.beatAt) < HEARTBEAT_AFTER_MS) continue;
    entry.beatAt = now;
    entry.client.sink.write(entry.beat);
  }
}
