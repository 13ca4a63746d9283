import type { StreamProblem } from "../dialect";

/** What a stream has said of its response so far. */
export type ResponseHead = { id: string | null; model: string | null; createdAt: number | null; sequence: number };

const NOTHING_SAID: ResponseHead = { id: null, model: null, createdAt: null, sequence: -1 };

/** The event that ends a broken stream: native agents know `response.failed` and no other word for it. */
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
