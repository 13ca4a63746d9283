import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The supplier's answer to one request: an error, or the events as they are on the wire. */
type AgentAnswer =
  | { status: number; body?: object; headers?: Record<string, string> }
  | { events: readonly string[]; headers?: Record<string, string>; breaks?: true; paceMs?: number };

type AgentCall = { token: string; headers: IncomingHttpHeaders; body: string; aborted: boolean };

/** A supplier of the native agent protocol in the test's process; its token endpoint rotates refresh tokens. */
export type AgentSupplier = {
  /** Base URL including the version path. */
  url: string;
  tokenUrl: string;
  calls: AgentCall[];
  /** Requests for a new token, oldest first. */
  renewals: { refreshToken: string; clientId: string }[];
  /** Accepted access tokens; if empty, every token is accepted. */
  valid: Set<string>;
  /** Sets a function that returns the answer to a request; undefined means the usual answer. */
  answer(by: (call: AgentCall) => AgentAnswer | undefined): void;
  /** Sets a function that returns the answer of the token endpoint; undefined means new tokens. */
  renew(by: (refreshToken: string) => { status: number; body: object } | undefined): void;
  /** Lifetime of a renewed token in seconds. */
  lifeSeconds: number;
  /** Duration of a renewal in milliseconds. */
  renewalMs: number;
  close(): Promise<void>;
};

export const AGENT_USAGE = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 2 },
  total_tokens: 35,
};

export const eventOf = (data: { type: string; [more: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

/** Returns the events of an ordinary answer, each with its sequence number. */
export function answerEvents(words: readonly string[], usage: object | null = AGENT_USAGE): string[] {
  const response = { id: "resp_1", object: "response", created_at: 1_790_000_000, model: "agent", output: [] };
  const content = [{ type: "output_text", text: words.join(""), annotations: [] }];
  const item = { type: "message", id: "msg_1", status: "completed", role: "assistant", content };
  const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
  return [
    { type: "response.created", response: { ...response, status: "in_progress" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, status: "in_progress", content: [] } },
    { type: "response.content_part.added", ...at, part: { type: "output_text", text: "", annotations: [] } },
    ...words.map((delta) => ({ type: "response.output_text.delta", ...at, delta })),
    { type: "response.output_text.done", ...at, text: words.join("") },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { ...response, status: "completed", output: [item], usage } },
  ].map((data, sequence_number) => eventOf({ ...data, sequence_number }));
}

export async function startAgentSupplier(): Promise<AgentSupplier> {
  let decide: (call: AgentCall) => AgentAnswer | undefined = () => undefined;
  let decideRenewal: (refreshToken: string) => { status: number; body: object } | undefined = () => undefined;
  const used = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      if (request.url === "/token") return void renew(new URLSearchParams(body), response);
      const token = String(request.headers.authorization).replace(/^Bearer /, "");
      const call: AgentCall = { token, headers: request.headers, body, aborted: false };
      supplier.calls.push(call);
      response.on("close", () => {
        call.aborted = !response.writableFinished;
      });
      if (request.url !== "/v1/responses") return refuse(response, { status: 404 });
      if (supplier.valid.size > 0 && !supplier.valid.has(token))
        return refuse(response, { status: 401, body: EXPIRED });
      const answer = decide(call) ?? { events: answerEvents(["Hello", " there"]) };
      if ("status" in answer) refuse(response, answer);
      else void stream(response, answer);
    });
  });
  const supplier: AgentSupplier = {
    url: "",
    tokenUrl: "",
    calls: [],
    renewals: [],
    valid: new Set(),
    lifeSeconds: 3_600,
    renewalMs: 0,
    answer: (by) => {
      decide = by;
    },
    renew: (by) => {
      decideRenewal = by;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function renew(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const refreshToken = form.get("refresh_token") ?? "";
    supplier.renewals.push({ refreshToken, clientId: form.get("client_id") ?? "" });
    await new Promise((resolve) => setTimeout(resolve, supplier.renewalMs));
    const decided = decideRenewal(refreshToken);
    if (decided !== undefined) return refuse(response, decided);
    if (used.has(refreshToken)) return refuse(response, { status: 400, body: { error: "invalid_grant" } });
    used.add(refreshToken);
    const [name, number] = refreshToken.split("#") as [string, string?];
    const next = Number(number ?? 0) + 1;
    const access = `${name.replace("refresh", "access")}#${next}`;
    if (supplier.valid.size > 0) supplier.valid.add(access);
    refuse(response, {
      status: 200,
      body: {
        access_token: access,
        refresh_token: `${name}#${next}`,
        expires_in: supplier.lifeSeconds,
        token_type: "Bearer",
      },
    });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  supplier.url = `${origin}/v1`;
  supplier.tokenUrl = `${origin}/token`;
  return supplier;
}

const EXPIRED = { error: { code: "token_expired", message: "Provided authentication token is expired: sk-secret." } };

function refuse(
  response: ServerResponse,
  { status, body = {}, headers = {} }: { status: number; body?: object; headers?: Record<string, string> },
) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function stream(
  response: ServerResponse,
  answer: Extract<AgentAnswer, { events: readonly string[] }>,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", ...answer.headers });
  for (const event of answer.events) {
    if (response.destroyed) return;
    response.write(event);
    await new Promise((resolve) => setTimeout(resolve, answer.paceMs ?? 0));
  }
  if (answer.breaks) response.destroy();
  else response.end();
}
