import type { ByteSource, SupplierReply, WireName } from "../canonical/exchange";
import { bodyAsEvents } from "../dialects/wire/events/whole-as-events";

/**
 * Turns a whole answer to a streaming request into a stream. Some suppliers do not stream a model and answer as a
 * whole; the request is not sent to another supplier for that. A body that is not an answer is returned unchanged.
 */
export function asStream(reply: SupplierReply, wire: WireName): SupplierReply {
  if (reply.kind === "stream") return reply;
  const events = reply.body.length > MAX_BYTES ? null : bodyAsEvents(wire, reply.body);
  if (events === null) return reply;
  reply.release?.();
  return { kind: "stream", status: reply.status, headers: reply.headers, source: sourceOf(events) };
}

/** Maximum length of an answer to rewrite; a longer one would block the event loop. */
const MAX_BYTES = 16 * 1024 * 1024;

const sourceOf = (events: Buffer): ByteSource => ({
  start(sink) {
    sink.data(events);
    sink.end();
  },
  pause: () => undefined,
  resume: () => undefined,
  abort: () => undefined,
});
