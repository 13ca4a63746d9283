import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const KEY = "sk-supplier";

type Json = Record<string, unknown>;

export type CohereStandIn = {
  /** The base URL of its API of version 2. */
  url: string;
  /** The received requests, unchanged. */
  asked: { path: string; body: Json }[];
  close(): Promise<void>;
};

/** Starts Cohere's `/v2/chat` in front of the stand-in supplier, which does the work, bills it and fails on request. */
export async function startCohereStandIn(messagesUrl: string): Promise<CohereStandIn> {
  const asked: CohereStandIn["asked"] = [];
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.resetAndDestroy());
  });
  server.keepAliveTimeout = 6_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "";
    if (request.headers.authorization !== `Bearer ${KEY}`) return json(response, 401, { message: "invalid api token" });
    if (path !== "/v2/chat") return json(response, 404, { message: "404 page not found" });
    const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Json;
    asked.push({ path, body });
    const wrong = faultIn(body);
    if (wrong !== null) return json(response, 400, { id: "e-1", message: wrong });
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    const came = await fetch(`${messagesUrl}/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${KEY}`,
        "x-request-id": String(request.headers["x-request-id"]),
      },
      body: JSON.stringify(asMessages(body)),
      signal: controller.signal,
    });
    if (!came.ok) {
      const retry = came.headers.get("retry-after");
      if (retry !== null) response.setHeader("retry-after", retry);
      const { error } = (await came.json()) as { error: { message: string } };
      return json(response, came.status, { id: "e-1", message: error.message });
    }
    response.writeHead(200, { "content-type": body.stream === true ? "text/event-stream" : "application/json" });
    if (body.stream !== true) return void response.end(JSON.stringify(asCohere((await came.json()) as Json)));
    const teller = new Teller();
    let waiting = "";
    for await (const chunk of came.body as unknown as AsyncIterable<Uint8Array>) {
      waiting += Buffer.from(chunk).toString("utf8");
      const events = waiting.split("\n\n");
      waiting = events.pop()!;
      for (const event of events)
        for (const told of teller.tell(JSON.parse(event.slice(event.indexOf("data: ") + 6))))
          response.write(`event: ${told.type}\ndata: ${JSON.stringify(told)}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function json(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const MEMBERS = new Set([
  ...["model", "messages", "stream", "tools", "tool_choice", "strict_tools", "response_format", "max_tokens"],
  ...["temperature", "p", "k", "stop_sequences", "thinking"],
]);
const ROLES: Record<string, readonly string[]> = {
  system: ["content"],
  user: ["content"],
  assistant: ["content", "tool_calls", "tool_plan"],
  tool: ["content", "tool_call_id"],
};

/** Returns Cohere's error message for an invalid body; null if the body is valid. */
function faultIn(body: Json): string | null {
  for (const name of Object.keys(body)) if (!MEMBERS.has(name)) return `unknown field: parameter '${name}'`;
  for (const { role, ...message } of body.messages as ({ role: string } & Json)[]) {
    const known = ROLES[role];
    if (known === undefined) return `unknown role ${role}`;
    for (const name of Object.keys(message)) if (!known.includes(name)) return `unknown field: parameter '${name}'`;
    if (message.content === undefined && message.tool_calls === undefined) return "message has no content";
  }
  return null;
}

function asMessages({ model, messages, max_tokens, tools, stream }: Json): Json {
  return {
    model,
    max_tokens: max_tokens ?? 4_096,
    messages: (messages as Json[])
      .filter(({ role }) => role !== "system")
      .map(({ role, content }) => ({
        role: role === "assistant" ? "assistant" : "user",
        content: role === "tool" ? [{ type: "tool_result" }] : [{ type: "text", text: String(content ?? "") }],
      })),
    ...(tools === undefined
      ? {}
      : { tools: (tools as { function: Json }[]).map(({ function: { name } }) => ({ name, input_schema: {} })) }),
    ...(stream === true ? { stream } : {}),
  };
}

const FINISHES: Record<string, string> = {
  max_tokens: "MAX_TOKENS",
  tool_use: "TOOL_CALL",
  stop_sequence: "STOP_SEQUENCE",
};
const finishOf = (reason: unknown) => FINISHES[String(reason)] ?? "COMPLETE";

/** Reports billed units, and token counts that include what Cohere adds to the prompt. */
const usageOf = ({ input_tokens = 0, output_tokens = 0 }: Record<string, number>): Json => ({
  billed_units: { input_tokens, output_tokens },
  tokens: { input_tokens: input_tokens + 70, output_tokens: output_tokens + 2 },
});

const callOf = (id: unknown, name: unknown, given: string): Json => ({
  id,
  type: "function",
  function: { name, arguments: given },
});

function asCohere({ id, content, stop_reason, usage }: Json): Json {
  const blocks = content as Json[];
  const calls = blocks.filter(({ type }) => type === "tool_use");
  return {
    id,
    finish_reason: finishOf(stop_reason),
    message: {
      role: "assistant",
      content: blocks.filter(({ type }) => type === "text").map(({ text }) => ({ type: "text", text })),
      ...(calls.length === 0
        ? {}
        : { tool_plan: "I will ask.", tool_calls: calls.map((c) => callOf(c.id, c.name, JSON.stringify(c.input))) }),
    },
    ...(usage === undefined ? {} : { usage: usageOf(usage as Record<string, number>) }),
  };
}

/** Translates the events of a messages stream into Cohere's. */
class Teller {
  #isCall = false;
  #input = 0;

  tell(event: Json): Json[] {
    const { type, delta, content_block, usage, error, message, index } = event as Record<string, Json>;
    switch (String(type)) {
      case "message_start":
        this.#input = (message!.usage as Record<string, number>).input_tokens!;
        return [{ type: "message-start", id: message!.id, delta: { message: { role: "assistant", content: [] } } }];
      case "content_block_start":
        this.#isCall = content_block!.type === "tool_use";
        if (!this.#isCall)
          return [{ type: "content-start", index, delta: { message: { content: { type: "text", text: "" } } } }];
        return [
          { type: "tool-plan-delta", delta: { message: { tool_plan: "I will ask." } } },
          {
            type: "tool-call-start",
            index,
            delta: { message: { tool_calls: callOf(content_block!.id, content_block!.name, "") } },
          },
        ];
      case "content_block_delta":
        if (!this.#isCall)
          return [{ type: "content-delta", index, delta: { message: { content: { text: delta!.text } } } }];
        return [
          {
            type: "tool-call-delta",
            index,
            delta: { message: { tool_calls: { function: { arguments: delta!.partial_json } } } },
          },
        ];
      case "content_block_stop":
        return [{ type: this.#isCall ? "tool-call-end" : "content-end", index }];
      case "message_delta": {
        const counted = { input_tokens: this.#input, ...(usage as Record<string, number> | undefined) };
        const told = usage === undefined ? {} : { usage: usageOf(counted) };
        return [{ type: "message-end", delta: { finish_reason: finishOf(delta!.stop_reason), ...told } }];
      }
      case "error":
        return [{ type: "message-end", delta: { finish_reason: "ERROR", error: error!.message } }];
      default:
        return [];
    }
  }
}
