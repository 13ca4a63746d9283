import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { crc32 } from "node:zlib";
import { isSignedByAwsKey } from "./aws-signature";

/** The access key and the Bedrock API key that the stand-in accepts. */
export const ACCESS_KEY = "AKIDEXAMPLE000000:wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
export const BEDROCK_KEY = "sk-supplier";
const AWS_REGION = "eu";

type Json = Record<string, unknown>;
type Block = Record<string, Json & string>;

/** A received request, unchanged. */
type BedrockAsked = { path: string; authorization: string; body: Json };

export type BedrockStandIn = { url: string; asked: BedrockAsked[]; close(): Promise<void> };

/**
 * Starts Amazon Bedrock's Converse API in front of the stand-in supplier, which does the work, bills it and fails on
 * request. It checks signatures and bodies, and writes the binary event stream with its own code.
 */
export async function startBedrockStandIn(messagesUrl: string): Promise<BedrockStandIn> {
  const asked: BedrockAsked[] = [];
  const server = createServer((request, response) => {
    answer({ request, response, messagesUrl, asked }).catch(() => request.socket.resetAndDestroy());
  });
  server.keepAliveTimeout = 6_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Call = { request: IncomingMessage; response: ServerResponse; messagesUrl: string; asked: BedrockAsked[] };

async function answer({ request, response, messagesUrl, asked }: Call): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  const authorization = request.headers.authorization ?? "";
  const path = request.url ?? "";
  const isKnown =
    authorization === `Bearer ${BEDROCK_KEY}` ||
    isSignedByAwsKey(request, text, { accessKey: ACCESS_KEY, region: AWS_REGION, service: "bedrock" });
  if (!isKnown) return refuse(response, 403, "UnrecognizedClientException", "The security token is invalid.");
  const [, model = "", operation = ""] = /^\/model\/([^/]+)\/(converse|converse-stream)$/.exec(path) ?? [];
  if (operation === "") return refuse(response, 404, "UnknownOperationException", "no such operation");
  const body = JSON.parse(text) as Json;
  asked.push({ path, authorization, body });
  const wrong = faultIn(body);
  if (wrong !== null) return refuse(response, 400, "ValidationException", wrong);
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  const stream = operation === "converse-stream";
  const came = await fetch(`${messagesUrl}/messages`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${BEDROCK_KEY}`,
      "x-request-id": String(request.headers["x-request-id"]),
    },
    body: JSON.stringify(asMessages(body, decodeURIComponent(model), stream)),
    signal: controller.signal,
  });
  if (!came.ok) return refuseLike(response, came);
  const type = stream ? "application/vnd.amazon.eventstream" : "application/json";
  response.writeHead(200, { "content-type": type, "x-amzn-requestid": "r-1" });
  if (!stream) return void response.end(JSON.stringify(asConverse((await came.json()) as Json)));
  let waiting = "";
  for await (const chunk of came.body as unknown as AsyncIterable<Uint8Array>) {
    waiting += Buffer.from(chunk).toString("utf8");
    const events = waiting.split("\n\n");
    waiting = events.pop()!;
    for (const event of events)
      for (const frame of framesOf(JSON.parse(event.slice(event.indexOf("data: ") + 6)))) {
        // In two pieces, because networks may split a message.
        response.write(frame.subarray(0, 5));
        response.write(frame.subarray(5));
      }
  }
  response.end();
}

const NAMES: Record<number, string> = {
  400: "ValidationException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
};

async function refuseLike(response: ServerResponse, came: Response): Promise<void> {
  const { error } = (await came.json()) as { error: { message: string } };
  const wait = came.headers.get("retry-after");
  if (wait !== null) response.setHeader("retry-after", wait);
  refuse(response, came.status, NAMES[came.status] ?? "ValidationException", error.message);
}

function refuse(response: ServerResponse, status: number, name: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json", "x-amzn-errortype": `${name}:http://internal/` });
  response.end(JSON.stringify({ message }));
}

const MEMBERS = new Set(
  "messages system inferenceConfig toolConfig additionalModelRequestFields requestMetadata outputConfig".split(" "),
);
const BLOCKS = new Set("text image document toolUse toolResult reasoningContent cachePoint".split(" "));

/** Returns Bedrock's error message for an invalid body; null if the body is valid. */
function faultIn(body: Json): string | null {
  for (const name of Object.keys(body)) if (!MEMBERS.has(name)) return `unknown member ${name}`;
  const messages = body.messages as { role: string; content: Block[] }[];
  if (messages[0]?.role !== "user") return "A conversation must start with a user message.";
  for (const [index, { role, content }] of messages.entries()) {
    if (index > 0 && messages[index - 1]!.role === role) return "Roles must alternate.";
    if (content.length === 0) return "The content field is empty.";
    for (const block of content) {
      const kinds = Object.keys(block);
      if (kinds.length !== 1 || !BLOCKS.has(kinds[0]!)) return `a block of ${kinds.join(" and ")}`;
      if (block.text !== undefined && block.text.trim() === "") return "The text field is blank.";
      if ((block.toolUse ?? block.toolResult) !== undefined && body.toolConfig === undefined)
        return "The toolConfig field must be defined when using toolUse and toolResult content blocks.";
    }
  }
  return null;
}

function asMessages(body: Json, model: string, stream: boolean): Json {
  const { maxTokens } = (body.inferenceConfig ?? {}) as { maxTokens?: number };
  const messages = body.messages as { role: string; content: Block[] }[];
  const tools = (body.toolConfig as { tools?: Block[] } | undefined)?.tools?.flatMap(({ toolSpec }) => toolSpec ?? []);
  return {
    model,
    max_tokens: maxTokens ?? 4_096,
    messages: messages.map(({ role, content }) => ({
      role,
      content: content.map((block) =>
        block.toolResult === undefined ? { type: "text", text: block.text ?? "" } : { type: "tool_result" },
      ),
    })),
    ...(tools === undefined ? {} : { tools: tools.map(({ name }) => ({ name, input_schema: {} })) }),
    metadata: { user_id: (body.requestMetadata as Json | undefined)?.user },
    ...(stream ? { stream } : {}),
  };
}

const usageOf = ({ input_tokens, output_tokens }: Record<string, number>): Json => ({
  inputTokens: input_tokens,
  outputTokens: output_tokens,
  totalTokens: input_tokens! + output_tokens!,
});

function asConverse({ content, stop_reason, usage }: Json): Json {
  return {
    output: {
      message: {
        role: "assistant",
        content: (content as Json[]).map((block) =>
          block.type === "text"
            ? { text: block.text }
            : { toolUse: { toolUseId: block.id, name: block.name, input: block.input } },
        ),
      },
    },
    stopReason: stop_reason,
    ...(usage === undefined ? {} : { usage: usageOf(usage as Record<string, number>) }),
    metrics: { latencyMs: 1 },
  };
}

/** Translates one event of a messages stream into Bedrock's messages. */
function framesOf(event: Json): Buffer[] {
  const { type, index: contentBlockIndex, delta, content_block, usage, error } = event as Record<string, Json>;
  const say = (name: string, body: Json) => [frame({ ":message-type": "event", ":event-type": name }, body)];
  switch (String(type)) {
    case "message_start":
      return say("messageStart", { role: "assistant", p: "abc" });
    case "content_block_start": {
      const { type: kind, id, name } = content_block!;
      const start = { toolUse: { toolUseId: id, name } };
      return kind === "tool_use" ? say("contentBlockStart", { contentBlockIndex, start }) : [];
    }
    case "content_block_delta": {
      const { text, partial_json: input } = delta!;
      return say("contentBlockDelta", {
        contentBlockIndex,
        delta: text === undefined ? { toolUse: { input } } : { text },
      });
    }
    case "content_block_stop":
      return say("contentBlockStop", { contentBlockIndex });
    case "message_delta":
      return [
        ...(delta!.stop_reason == null ? [] : say("messageStop", { stopReason: delta!.stop_reason })),
        ...(usage === undefined ? [] : say("metadata", { usage: usageOf(usage as Record<string, number>) })),
      ];
    case "error":
      return [
        frame(
          { ":message-type": "exception", ":exception-type": "modelStreamErrorException" },
          { message: error!.message, originalStatusCode: 500 },
        ),
      ];
    default:
      return [];
  }
}

/** Encodes one message of `application/vnd.amazon.eventstream`: lengths, checksum, string headers, body, checksum. */
export function frame(headers: Record<string, string>, body: Json): Buffer {
  const written = Buffer.concat(
    Object.entries(headers).map(([name, value]) =>
      Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7, 0, value.length]),
        Buffer.from(value),
      ]),
    ),
  );
  const payload = Buffer.from(JSON.stringify(body));
  const length = 12 + written.length + payload.length + 4;
  const prelude = Buffer.concat([uint32(length), uint32(written.length)]);
  const before = Buffer.concat([prelude, uint32(crc32(prelude)), written, payload]);
  return Buffer.concat([before, uint32(crc32(before))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
