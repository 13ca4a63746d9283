import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { sharedHeaders } from "~/http/cross-origin";
import { type Connection, connectionOf } from "~/http/server/connection";
import type { ClientSink } from "../call/live-stream";
import { USAGE_HEADERS } from "../gateway-headers";
import { CoalescedWrites } from "./coalesced-writes";

/** The client's end of a stream: a sink for the bytes, a way to end it, and the response to return. */
export type ClientEnd = {
  sink: ClientSink;
  /** `trailers`: values known only at the end, for clients that read trailers (`TE: trailers`). */
  end(last: Buffer | null, trailers?: Readonly<Record<string, string>>): void;
  destroy(): void;
  response: Response;
};

/**
 * Opens the client's side of a stream. On gw's own server the bytes go to the socket, with small writes combined: this
 * costs a third of a web stream and gives real back-pressure. On any other server it is an ordinary streaming Response.
 */
export function openClientEnd(request: Request, headers: Record<string, string>, onCancel: () => void): ClientEnd {
  const connection = connectionOf(request);
  if (connection) Object.assign(headers, sharedHeaders(request));
  return connection ? nodeEnd(connection, headers) : webEnd(headers, onCancel);
}

/** A server sends trailers only to clients that announce support (RFC 9110, 6.5.1). */
const READS_TRAILERS = /(^|[\s,])trailers\s*($|[,;])/i;

function nodeEnd({ incoming, outgoing }: Connection, headers: Record<string, string>): ClientEnd {
  const { te } = incoming.headers;
  const readsTrailers = te !== undefined && READS_TRAILERS.test(String(te));
  outgoing.writeHead(200, readsTrailers ? { ...headers, trailer: USAGE_HEADERS.join(", ") } : headers);
  const writes = new CoalescedWrites(outgoing);
  return {
    sink: {
      write: (bytes) => writes.write(bytes),
      onDrain: (listener) => void outgoing.once("drain", listener),
    },
    end: (last, trailers) => {
      if (readsTrailers && trailers !== undefined) outgoing.addTrailers(trailers);
      const waiting = writes.take();
      const rest = waiting === null ? last : last === null ? waiting : Buffer.concat([waiting, last]);
      if (rest === null) outgoing.end();
      else outgoing.end(rest);
    },
    destroy: () => {
      writes.flush();
      // Written bytes are sent at the end of this turn of the event loop.
      setImmediate(() => outgoing.destroy());
    },
    response: RESPONSE_ALREADY_SENT,
  };
}

function webEnd(headers: Record<string, string>, onCancel: () => void): ClientEnd {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  let drained: (() => void) | null = null;
  let over = false;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (streamController) => {
        controller = streamController;
      },
      pull: () => {
        const listener = drained;
        drained = null;
        listener?.();
      },
      cancel: () => {
        over = true;
        onCancel();
      },
    },
    { highWaterMark: 64 * 1024, size: (bytes) => bytes?.byteLength ?? 0 },
  );
  return {
    sink: {
      write: (bytes) => {
        if (over) return false;
        controller.enqueue(bytes);
        return (controller.desiredSize ?? 0) > 0;
      },
      onDrain: (listener) => {
        drained = listener;
      },
    },
    end: (last) => {
      if (over) return;
      over = true;
      if (last !== null) controller.enqueue(last);
      controller.close();
    },
    destroy: () => {
      if (over) return;
      over = true;
      controller.error(new Error("the stream was given up"));
    },
    response: new Response(body, { status: 200, headers }),
  };
}
