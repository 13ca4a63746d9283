import { portalEndpoint } from "~/access/portal/endpoint.server";
import { callModel } from "./call.server";
import { PlaygroundCallForm } from "./playground-form.schema";
import type { Receipt } from "./receipt";

/** Streams a model's answer as server-sent events of a chat stream, followed by the receipt. */
const run = portalEndpoint({
  allow: "member",
  page: "/dashboard/playground",
  POST: {
    body: PlaygroundCallForm,
    run: async ({ actor, request, body: { key_id, ...call } }) => {
      const { response, receipt } = await callModel(actor, {
        keyId: key_id,
        call,
        stream: true,
        signal: request.signal,
      });
      return withReceipt(response, receipt);
    },
  },
});

/** An error from the gateway is also sent as an event of the stream, so that the page has one parser. */
async function withReceipt(response: Response, receipt: Promise<Receipt>): Promise<Response> {
  const events = response.ok && response.body !== null ? response.body : eventOf("", await response.json());
  const end = new TransformStream<Uint8Array, Uint8Array>({
    flush: async (controller) => controller.enqueue(bytesOf("receipt", await receipt)),
  });
  return new Response(events.pipeThrough(end), {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

const eventOf = (name: string, value: unknown): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      controller.enqueue(bytesOf(name, value));
      controller.close();
    },
  });

const bytesOf = (name: string, value: unknown): Uint8Array =>
  new TextEncoder().encode(`${name === "" ? "" : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`);

export const loader = run;
export const action = run;
