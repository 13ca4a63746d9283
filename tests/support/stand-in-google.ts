import { generateKeyPairSync, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const KEY = "sk-supplier";
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });

type Json = Record<string, unknown>;

export type GoogleStandIn = {
  /** Base URLs of the Gemini API and of a Vertex AI project. */
  geminiUrl: string;
  vertexUrl: string;
  /** The JSON key file of its service account. */
  serviceAccount: string;
  /** Token endpoint for OAuth client credentials. */
  tokenUrl: string;
  /** The received requests, unchanged. */
  asked: { path: string; body: Json }[];
  /** Returns the number of token requests. */
  tokens(): number;
  /** Revokes all tokens issued so far. */
  revoke(): void;
  close(): Promise<void>;
};

/**
 * Starts Google's `generateContent` in front of the stand-in supplier, which does the work, bills it and fails on
 * request. Its token endpoint checks the signatures of a service account and the secrets of an OAuth client.
 */
export async function startGoogleStandIn(messagesUrl: string): Promise<GoogleStandIn> {
  const asked: GoogleStandIn["asked"] = [];
  const state = { tokens: 0, revoked: 0 };
  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.resetAndDestroy());
  });
  server.keepAliveTimeout = 6_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const path = request.url ?? "";
    if (path === "/token") {
      if (!isKnown(new URLSearchParams(text), `${origin}/token`))
        return json(response, 400, { error: "invalid_grant" });
      state.tokens += 1;
      return json(response, 200, { access_token: `token-${state.tokens}`, expires_in: 3_599, token_type: "Bearer" });
    }
    const token = Number(/^Bearer token-(\d+)$/.exec(request.headers.authorization ?? "")?.[1] ?? 0);
    const isVertex = path.startsWith("/v1/projects/p/locations/l/publishers/google/models/");
    const isSignedIn = isVertex ? token > state.revoked : request.headers["x-goog-api-key"] === KEY;
    if (!isSignedIn) return refuse(response, 401, "invalid authentication credentials");
    const [, model = "", operation = ""] =
      /\/models\/([^/:]+):(generateContent|streamGenerateContent\?alt=sse)$/.exec(path) ?? [];
    if (operation === "") return refuse(response, 404, "no such method");
    const body = JSON.parse(text) as Json;
    asked.push({ path, body });
    const wrong = faultIn(body);
    if (wrong !== null) return refuse(response, 400, wrong);
    const stream = operation !== "generateContent";
    const controller = new AbortController();
    response.once("close", () => controller.abort());
    const came = await fetch(`${messagesUrl}/messages`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${KEY}`,
        "x-request-id": String(request.headers["x-request-id"]),
      },
      body: JSON.stringify(asMessages(body, decodeURIComponent(model), stream)),
      signal: controller.signal,
    });
    if (!came.ok) {
      const { error } = (await came.json()) as { error: { message: string } };
      return refuse(response, came.status, error.message);
    }
    response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
    if (!stream) return void response.end(JSON.stringify(asGemini((await came.json()) as Json)));
    const teller = new Teller();
    let waiting = "";
    for await (const chunk of came.body as unknown as AsyncIterable<Uint8Array>) {
      waiting += Buffer.from(chunk).toString("utf8");
      const events = waiting.split("\n\n");
      waiting = events.pop()!;
      for (const event of events)
        for (const told of teller.tell(JSON.parse(event.slice(event.indexOf("data: ") + 6))))
          response.write(`data: ${JSON.stringify(told)}\r\n\r\n`);
    }
    response.end();
  }

  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const account = { type: "service_account", project_id: "p", client_email: "gw@p.example" };
  return {
    geminiUrl: `${origin}/v1beta`,
    vertexUrl: `${origin}/v1/projects/p/locations/l`,
    serviceAccount: JSON.stringify({ ...account, private_key: key, token_uri: `${origin}/token` }),
    tokenUrl: `${origin}/token`,
    asked,
    tokens: () => state.tokens,
    revoke: () => (state.revoked = state.tokens),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Whether the credentials in a form of the token endpoint are valid. */
function isKnown(form: URLSearchParams, audience: string): boolean {
  if (form.get("grant_type") === "client_credentials")
    return form.get("client_id") === "gw" && form.get("client_secret") === "hush" && form.get("scope") === "models";
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return false;
  const [head = "", claims = "", signature = ""] = (form.get("assertion") ?? "").split(".");
  const said = JSON.parse(Buffer.from(claims, "base64url").toString()) as Json;
  const now = Date.now() / 1_000;
  return (
    verify("RSA-SHA256", Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature, "base64url")) &&
    said.iss === "gw@p.example" &&
    said.aud === audience &&
    said.scope === "https://www.googleapis.com/auth/cloud-platform" &&
    Math.abs(Number(said.iat) - now) < 60 &&
    Number(said.exp) - Number(said.iat) <= 3_600
  );
}

const STATES: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

function refuse(response: ServerResponse, status: number, message: string): void {
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "6.5s" };
  const details = status === 429 ? [retry] : [];
  json(response, status, { error: { code: status, message, status: STATES[status] ?? "UNKNOWN", details } });
}

function json(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const MEMBERS = new Set(["contents", "systemInstruction", "tools", "toolConfig", "generationConfig"]);
const PARTS = new Set(["text", "inlineData", "functionCall", "functionResponse", "thoughtSignature"]);
type Content = { role: string; parts: Json[] };

/** Returns Google's error message for an invalid body; null if the body is valid. */
function faultIn(body: Json): string | null {
  for (const name of Object.keys(body)) if (!MEMBERS.has(name)) return `Unknown name "${name}"`;
  for (const { role, parts } of body.contents as Content[]) {
    if (role !== "user" && role !== "model") return "Please use a valid role: user, model.";
    if (parts.length === 0) return "must include at least one parts field";
    for (const part of parts)
      for (const name of Object.keys(part)) if (!PARTS.has(name)) return `Unknown name "${name}"`;
  }
  return null;
}

function asMessages(body: Json, model: string, stream: boolean): Json {
  const { maxOutputTokens } = (body.generationConfig ?? {}) as { maxOutputTokens?: number };
  const [declared] = (body.tools ?? []) as { functionDeclarations: { name: string }[] }[];
  return {
    model,
    max_tokens: maxOutputTokens ?? 4_096,
    messages: (body.contents as Content[]).map(({ role, parts }) => ({
      role,
      content: parts.map((part) =>
        part.functionResponse === undefined ? { type: "text", text: part.text ?? "" } : { type: "tool_result" },
      ),
    })),
    ...(declared === undefined
      ? {}
      : { tools: declared.functionDeclarations.map(({ name }) => ({ name, input_schema: {} })) }),
    ...(stream ? { stream } : {}),
  };
}

/** Reports some of the answer's tokens as thoughts. */
function usageOf({ input_tokens = 0, output_tokens = 0 }: Record<string, number>): Json {
  const thoughts = Math.min(2, output_tokens);
  return {
    promptTokenCount: input_tokens,
    candidatesTokenCount: output_tokens - thoughts,
    thoughtsTokenCount: thoughts,
    totalTokenCount: input_tokens + output_tokens,
  };
}

const finishOf = (reason: unknown) => (reason === "max_tokens" ? "MAX_TOKENS" : "STOP");
const answered = (parts: Json[], more: Json = {}): Json => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
  modelVersion: "gemini-x",
  responseId: "r-1",
});

function asGemini({ content, stop_reason, usage }: Json): Json {
  const parts = (content as Json[]).map((block) =>
    block.type === "text" ? { text: block.text } : { functionCall: { name: block.name, args: block.input } },
  );
  return {
    ...answered(parts, { finishReason: finishOf(stop_reason) }),
    ...(usage === undefined ? {} : { usageMetadata: usageOf(usage as Record<string, number>) }),
  };
}

/** Translates the events of a messages stream into Google's. A function call is sent in one piece. */
class Teller {
  #call: { name: unknown; input: string } | null = null;
  #input = 0;

  tell(event: Json): Json[] {
    const { type, delta, content_block, usage, error, message } = event as Record<string, Json>;
    switch (String(type)) {
      case "message_start":
        this.#input = (message!.usage as Record<string, number>).input_tokens!;
        return [];
      case "content_block_start":
        if (content_block!.type === "tool_use") this.#call = { name: content_block!.name, input: "" };
        return [];
      case "content_block_delta": {
        if (this.#call !== null) this.#call.input += delta!.partial_json;
        const usageMetadata = { promptTokenCount: this.#input, totalTokenCount: this.#input };
        return this.#call === null ? [{ ...answered([{ text: delta!.text }]), usageMetadata }] : [];
      }
      case "content_block_stop": {
        const call = this.#call;
        return call === null ? [] : [answered([{ functionCall: { name: call.name, args: JSON.parse(call.input) } }])];
      }
      case "message_delta": {
        const more = usage === undefined ? {} : { usageMetadata: usageOf(usage as Record<string, number>) };
        const finishReason = delta!.stop_reason == null ? {} : { finishReason: finishOf(delta!.stop_reason) };
        return [{ ...answered([{ text: "" }], finishReason), ...more }];
      }
      case "error":
        return [{ error: { code: 503, message: error!.message, status: "UNAVAILABLE" } }];
      default:
        return [];
    }
  }
}
