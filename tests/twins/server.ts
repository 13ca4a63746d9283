import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { play } from "./script";
import {
  asRefusal,
  type Counted,
  type Heard,
  json,
  Memory,
  parseExactly,
  type Received,
  type Reply,
  type Said,
  type Twin,
} from "./twin";

/** A request that a twin accepted or rejected. */
type Asked = { twin: string; body: string; refused: string | null; counted: Counted };

export type Twins = {
  origin: string;
  /** The requests by request id, in order. */
  asked: Map<string, Asked[]>;
  close(): Promise<void>;
};

/**
 * Starts all twins in this process, each under its name. `answer`: the model of all twins; by default the scripted
 * model, for clients that send everything back.
 */
export async function startTwins(twins: readonly Twin[], answer: (heard: Heard) => Said = play): Promise<Twins> {
  const asked = new Map<string, Asked[]>();
  const realms = new Map(twins.map(({ name, seals = name }) => [seals, new Map<string, string>()]));
  const memories = new Map(twins.map(({ name, seals = name }) => [name, new Memory(realms.get(seals))]));
  const server = createServer((request, response) => {
    serve(request, response).catch((cause) => {
      process.stderr.write(`a twin broke: ${cause.stack}\n`);
      request.socket.resetAndDestroy();
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const url = new URL(request.url ?? "/", "http://twin");
    const [, name = "", rest = ""] = /^\/([^/]+)(.*)$/.exec(url.pathname) ?? [];
    const twin = twins.find((each) => each.name === name);
    const api = twin?.apis.find(({ path }) => path.test(rest));
    if (twin === undefined || api === undefined)
      return send(response, json(404, { error: { message: "no such path" } }));
    const memory = memories.get(name)!;
    const received: Received = { path: rest, query: url.searchParams, request, text, body: parseExactly(text) };
    const serial = memory.next();
    const heard = api.hear(received.body);
    const said = answer(heard);
    const counted = countedOf(serial, said.thoughts.length > 0, api.tellsCached !== false);
    const rules = answer === play ? api.rules : api.rules.filter(({ ofGateway }) => !ofGateway);
    const refusal = firstRefusal(rules, received, memory);
    const id = String(request.headers["x-request-id"]);
    asked.set(id, [...(asked.get(id) ?? []), { twin: name, body: text, refused: refusal?.message ?? null, counted }]);
    if (refusal !== null) return send(response, api.refuse(refusal));
    const stream = api.isStream?.(received) ?? received.body.stream === true;
    return send(response, api.say(said, { serial, model: twin.model, stream, body: received.body, counted, memory }));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function firstRefusal(rules: Twin["apis"][number]["rules"], received: Received, memory: Memory) {
  for (const { check } of rules) {
    const refusal = check(received.body, memory, received);
    if (refusal !== undefined) return asRefusal(refusal);
  }
  return null;
}

/** Returns the token counts of a request; they differ between requests, so that a mixed-up bill is detected. */
const countedOf = (serial: number, thinks: boolean, tellsCached: boolean): Counted => ({
  input: 1_000 + (serial % 97),
  cached: tellsCached ? 300 + (serial % 7) : 0,
  output: 60 + (serial % 11),
  reasoning: thinks ? 20 + (serial % 5) : 0,
});

function send(response: ServerResponse, { status, headers, chunks }: Reply): void {
  const isPacked = headers["content-encoding"] === "gzip";
  response.writeHead(status, headers);
  if (isPacked) return void response.end(gzipSync(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))));
  for (const chunk of chunks) response.write(chunk);
  response.end();
}
