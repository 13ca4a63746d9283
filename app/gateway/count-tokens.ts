import { config } from "~/config.server";
import type { Caller } from "~/domain/keys/shared";
import type { Attempt, AttemptResult } from "~/domain/routing/index.server";
import { parseLongJson } from "~/http/body/json/parse-json";
import { readBody } from "~/http/body/read-body";
import { admitUncharged } from "./admit";
import { allowOrigin } from "./allow-origin";
import { authenticate } from "./authenticate";
import { type AttemptStrategy, NO_ATTEMPTS, runAttempts } from "./call/attempts";
import { classifyFailure } from "./call/classify-failure";
import { supplierError } from "./call/supplier-error";
import { type CallContext, sessionIdOf } from "./call-context";
import { Call } from "./call-record";
import type { InferenceRequest } from "./canonical/inference-request";
import { SupplierFailure } from "./canonical/supplier-failure";
import type { Dialect } from "./dialects/dialect";
import { messagesDialect, messagesToMessages } from "./dialects/messages";
import { forwardedHeaders } from "./dialects/messages/forward";
import { readCountTokens } from "./dialects/messages/read";
import { type GuardedCall, guardInput, outgoingBody } from "./guard";
import { endCall } from "./log/log-call";
import { roomForBody } from "./long-bodies";
import { refuse } from "./refuse";
import { type PricedRoute, type RoutePlan, route } from "./route";
import { countPrompt } from "./settle/measure";
import { adapterOf } from "./suppliers/registry";

/** Maximum attempts at suppliers. If all fail, gw's own count is the answer. */
const MAX_ATTEMPTS = 2;

/** The messages format without the fields that concern the answer. */
const countDialect: Dialect = { ...messagesDialect, endpoint: "messages/count_tokens", read: readCountTokens };

type Count = { inputTokens: number; route: PricedRoute | null };

/**
 * Counts the tokens of a messages request: at the supplier that would get it, if that one counts tokens, else by gw's
 * own tokenizer, marked in a header. The same region locks, rate limit and guardrails apply as to the request itself.
 * The supplier is called only for payers who could pay for a call. Costs nothing; no hold stays. Always answers in the
 * dialect's error envelope and never rejects.
 */
export async function answerTokenCount(request: Request): Promise<Response> {
  const call = new Call(request, "messages/count_tokens");
  let caller: Caller | null = null;
  let inference: InferenceRequest | null = null;
  try {
    caller = await authenticate(request);
    allowOrigin(request, caller);
    const { limits } = config();
    await roomForBody(request, caller.keyId, limits);
    const body = await readBody(request, limits.jsonBodyBytes, limits.requestTimeoutMs);
    inference = readCountTokens(body, await parseLongJson(body));
    const sessionId = sessionIdOf(request, inference);
    const context: CallContext = { call, caller, inference, dialect: countDialect, sessionId, claim: null };
    const { inputTokens, route: counter } =
      (await countAtSupplier(context, route(context))) ?? (await estimate(inference));
    const response = Response.json({ input_tokens: inputTokens }, { headers: headersOf(counter) });
    response.headers.set("x-request-id", call.id);
    response.headers.set("request-id", call.id);
    endCall({ call, caller, inference }, { status: 200, route: counter, settled: null, attempts: NO_ATTEMPTS });
    return response;
  } catch (error) {
    return refuse({ call, caller, inference, dialect: countDialect, attempts: NO_ATTEMPTS }, error);
  }
}

/**
 * Returns the count of the plan's first supplier; null if that one does not count tokens or cannot be reached, or if
 * the payer has no money. Reports the attempts to the health tracker.
 */
async function countAtSupplier(context: CallContext, plan: RoutePlan): Promise<Count | null> {
  if (!(await admitUncharged(context))) return null;
  return runAttempts(plan, new CountStrategy(await guardInput(context)));
}

class CountStrategy implements AttemptStrategy<Count | null> {
  readonly #asked: GuardedCall<CallContext>;
  #made = 0;
  #refused: SupplierFailure | null = null;

  constructor(context: GuardedCall<CallContext>) {
    this.#asked = context;
  }

  async attempt({ route, credential }: Attempt): Promise<Count | null> {
    this.#made += 1;
    const { call, inference } = this.#asked;
    const count = adapterOf(route.supplier)?.countTokens;
    // Do not try the next supplier: its count would come from another tokenizer, like gw's own.
    if (count === undefined) return null;
    const exchange = count({
      callId: call.id,
      route,
      credential,
      dialect: "messages",
      stream: false,
      body: outgoingBody(messagesToMessages, inference, { route }),
      headers: forwardedHeaders(call.request.headers),
    });
    call.onAbort(() => exchange.abort());
    const reply = await exchange.reply;
    const inputTokens = reply.kind === "whole" ? tokensIn(reply.body) : null;
    if (reply.kind === "whole") reply.release?.();
    if (inputTokens !== null) return { inputTokens, route };
    throw new SupplierFailure("protocol", "the supplier's answer is not a token count", { executed: "yes" });
  }

  /** The latency of a token count says nothing about the latency of answers, so it is not reported. */
  answered(count: Count | null): AttemptResult {
    return { kind: count === null ? "unsent" : "rejected" };
  }

  failed(error: unknown): { result: AttemptResult; retry: boolean } {
    if (!(error instanceof SupplierFailure)) throw error;
    if (error.kind === "aborted" || isClientsFault(error)) this.#refused = error;
    const hasNoCount = error.status === 404 || error.status === 405 || error.status === 501;
    const retry = this.#refused === null && !hasNoCount && this.#made < MAX_ATTEMPTS;
    return { result: hasNoCount ? { kind: "rejected" } : classifyFailure(error), retry };
  }

  exhausted(): null {
    if (this.#refused !== null) throw supplierError(this.#refused, 1);
    return null;
  }
}

function tokensIn(body: Buffer): number | null {
  try {
    const { input_tokens } = JSON.parse(body.toString("utf8")) as { input_tokens?: unknown };
    return Number.isSafeInteger(input_tokens) && (input_tokens as number) >= 0 ? (input_tokens as number) : null;
  } catch {
    return null;
  }
}

/** Whether the supplier rejected the request itself as invalid. */
const isClientsFault = ({ status }: SupplierFailure) => status === 400 || status === 413 || status === 422;

const estimate = async (inference: InferenceRequest): Promise<Count> => ({
  inputTokens: await countPrompt(inference, countDialect),
  route: null,
});

function headersOf(route: PricedRoute | null): Record<string, string> {
  if (route === null) return { "x-gw-token-source": "estimated" };
  const { name, region } = route.supplier;
  return { "x-gw-token-source": "supplier", "x-gw-supplier": name, "x-gw-region": region };
}
