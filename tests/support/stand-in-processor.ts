import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { type Fields, formFields } from "./stand-in-processor/form-fields";
import { ProcessorState, type Thing } from "./stand-in-processor/state";

const WEBHOOK_SECRET = "whsec_of_the_stand_in";
const SECRET_KEY = "sk_test_stand_in";

/**
 * The outcome of the next write: executed and the connection cut, rejected without effect, an error that is saved for
 * replays, executed but answered with an error, or executed and never answered.
 */
export type Fault = "cut_after" | "error_before" | "error_saved" | "error_after" | "silent_after";

/**
 * A local payment processor for the real client library. It keeps state and signs events with the real scheme. It
 * honours idempotency keys: it replays answers, including saved errors, and rejects a known key with other fields.
 */
export class StandInProcessor {
  readonly state = new ProcessorState();
  /** Faults of the next writes, in order. */
  readonly faults: Fault[] = [];
  /** All received writes, both executed and replayed. */
  readonly writes: { path: string; key: string; replayed: boolean }[] = [];
  readonly #answers = new Map<string, { fields: string; status: number; body: Thing }>();
  readonly #stripe = new Stripe(SECRET_KEY);
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns the environment variables of a gw that uses this processor. */
  environment(url: string): Record<string, string> {
    return { STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_BASE: url };
  }

  /** Returns the body and the signature of an event; `timestamp`: signing time in seconds. */
  signed(event: Thing, more: { secret?: string; timestamp?: number } = {}): { payload: string; signature: string } {
    const payload = JSON.stringify(event, null, 2);
    const { secret = WEBHOOK_SECRET, timestamp = Math.floor(Date.now() / 1_000) } = more;
    return { payload, signature: this.#stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp }) };
  }

  /** Forgets the idempotency keys of earlier writes, as the processor does after a day. */
  forgetKeys(): void {
    this.#answers.clear();
  }

  /** Delivers an event to a gw. */
  async deliver(gateway: string, event: Thing): Promise<number> {
    const { payload, signature } = this.signed(event);
    return (await post(gateway, payload, signature)).status;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://stand-in");
    const path = url.pathname.replace(/^\/v1\//, "");
    const send = (status: number, body: Thing) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`)
      return void send(401, failure("invalid_request_error"));
    if (request.method === "GET") return void sendFound(send, this.state.read(path, url.searchParams));
    const text = Buffer.concat(chunks).toString();
    const key = String(request.headers["idempotency-key"] ?? "");
    const before = this.#answers.get(key);
    this.writes.push({ path, key, replayed: before !== undefined });
    if (before !== undefined && key !== "") {
      if (before.fields !== `${path}?${text}`) return void send(400, failure("idempotency_error"));
      return void send(before.status, before.body);
    }
    const fault = this.faults.shift();
    if (fault === "error_before") return void send(500, failure("api_error"));
    const written = fault === "error_saved" ? failure("api_error") : this.state.write(path, formFields(text) as Fields);
    const status = fault === "error_saved" ? 500 : written === null ? 404 : statusOf(written);
    const body = written ?? missing();
    this.#answers.set(key, { fields: `${path}?${text}`, status, body });
    if (fault === "cut_after") return void response.destroy();
    if (fault === "silent_after") return;
    if (fault === "error_after") return void send(502, failure("api_error"));
    send(status, body);
  }
}

/** Sends a body unchanged to a gw's webhook. */
export const post = (gateway: string, payload: string, signature: string | null) =>
  fetch(`${gateway}/api/billing/processor/webhook`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(signature !== null && { "stripe-signature": signature }) },
    body: payload,
  });

function sendFound(send: (status: number, body: Thing) => void, found: Thing | null): void {
  if (found === null) send(404, missing());
  else send(statusOf(found), found);
}

/** Returns the HTTP status of an error; a declined card has its own status. */
const statusOf = ({ error }: Thing): number =>
  error === undefined ? 200 : (error.status ?? (error.type === "card_error" ? 402 : 400));

const failure = (type: string): Thing => ({ error: { type, message: `The stand-in says ${type}.` } });
const missing = (): Thing => ({
  error: { type: "invalid_request_error", code: "resource_missing", message: "No such thing." },
});
