import { headerOf } from "~/http/server/connection";
import type { LiveStream } from "../call/live-stream";
import type { Dialect } from "../dialects/dialect";
import type { ClientEnd } from "./client-sink";

/** SSE comment line. Prevents proxies and clients from closing a silent stream; every SSE reader ignores it. */
export const COMMENT = Buffer.from(": keep-alive\n\n");

/**
 * Returns the keep-alive bytes for the client of a request; native agents identify themselves by the `originator`
 * header.
 */
export const heartbeatFor = (request: Request, { heartbeat = COMMENT, agentHeartbeat = heartbeat }: Dialect): Buffer =>
  headerOf(request, "originator") === null ? heartbeat : agentHeartbeat;

export const HEARTBEAT_AFTER_MS = 15_000;
/** Milliseconds after which a client that reads nothing is disconnected. */
const STALLED_AFTER_MS = 60_000;
const TICK_MS = 1_000;
/** Number of ticks between two checkpoints of a stream. */
const CHECKPOINT_TICKS = 5;

/** The client's side of an open stream. */
type OpenEnd = {
  client: ClientEnd;
  /** Keep-alive bytes; null for streams without any. */
  beat: Buffer | null;
  /** Called every few seconds to record the progress of the stream; absent if nothing is recorded. */
  checkpoint?: () => void;
};

type Entry = Required<OpenEnd> & { beatAt: number };

const open = new Map<LiveStream, Entry>();
let ticker: NodeJS.Timeout | null = null;
let ticks = 0;
const NOTHING = () => undefined;

/** The streams in flight. One ticker for all of them sends heartbeats and disconnects clients that stopped reading. */
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

  /** Ends every stream with an error event; each is settled with its output so far. */
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
