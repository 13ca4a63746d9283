import type { StreamProblem } from "../dialect";

/** Properties of the response as far as the stream has sent them. */
export type ResponseHead = { id: string | null; model: string | null; createdAt: number | null; sequence: number };

const NOTHING_SAID: ResponseHead = { id: null, model: null, createdAt: null, sequence: -1 };

/**
 * The vendor's own keep-alive event. Codex aborts a stream after five minutes without an event, and comments do not
 * count. Other clients get comments, which every SDK skips, because some SDKs do not know this event.
 */
export const KEEPALIVE = Buffer.from('event: keepalive\ndata: {"type":"keepalive"}\n\n');

/** Returns the event that ends a broken stream: `response.failed`, the only one that native agents know. */
export function failedEvent(
  { code, type, message, humanMessage, gatewayCode }: StreamProblem,
  head: ResponseHead = NOTHING_SAID,
): Buffer {
  const response = {
    id: head.id ?? "resp_unfinished",
    object: "response",
    created_at: head.createdAt ?? Math.floor(Date.now() / 1_000),
    status: "failed",
    error: { code, message, human_message: humanMessage, type, gateway_code: gatewayCode },
    incomplete_details: null,
    model: head.model ?? "",
    output: [],
    usage: null,
  };
  const event = { type: "response.failed", sequence_number: head.sequence + 1, response };
  return Buffer.from(`event: response.failed\ndata: ${JSON.stringify(event)}\n\n`);
}
