import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };

/** A span in the form of OTLP, with its attributes by name. */
export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** 2: server, 3: client. */
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  /** 0: unset, 2: error. */
  status: number;
  attributes: Record<string, string | number | boolean | undefined>;
  resource: Record<string, string | number | boolean | undefined>;
};

export type Collector = {
  url: string;
  spans: CollectedSpan[];
  /** The received request bodies, unchanged. */
  bodies: string[];
  headers: IncomingHttpHeaders[];
  close(): Promise<void>;
};

/**
 * Starts a trace collector that accepts OTLP over HTTP in JSON.
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp
 */
export async function startCollector(): Promise<Collector> {
  const [spans, bodies, headers]: [CollectedSpan[], string[], IncomingHttpHeaders[]] = [[], [], []];
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const piece of incoming) body += piece;
    const isTraces = incoming.method === "POST" && incoming.url === "/v1/traces";
    if (!isTraces || incoming.headers["content-type"] !== "application/json") return void outgoing.writeHead(400).end();
    bodies.push(body);
    headers.push(incoming.headers);
    spans.push(...spansOf(JSON.parse(body)));
    outgoing.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, spans, bodies, headers },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: received JSON, read by the specification
function spansOf({ resourceSpans }: any): CollectedSpan[] {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return resourceSpans.flatMap(({ resource, scopeSpans }: any) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    scopeSpans.flatMap(({ spans }: any) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      spans.map((span: any) => ({
        ...span,
        status: span.status?.code ?? 0,
        attributes: attributesOf(span.attributes),
        resource: attributesOf(resource.attributes),
      })),
    ),
  );
}

function attributesOf(list: { key: string; value: Value }[]): CollectedSpan["attributes"] {
  return Object.fromEntries(
    list.map(({ key, value }) => [
      key,
      value.stringValue ??
        value.doubleValue ??
        value.boolValue ??
        (value.intValue === undefined ? undefined : Number(value.intValue)),
    ]),
  );
}
