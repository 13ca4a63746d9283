import { config } from "~/config.server";
import type { Caller } from "~/domain/keys/shared";
import type { Finding, Try } from "~/domain/routing/index.server";
import { AppError } from "~/errors/app-error";
import { gatewayErrorResponse } from "~/errors/envelope";
import { parseLongJson } from "~/http/parse-json";
import { readBody } from "~/http/read-body";
import { log } from "~/log.server";
import { type Asked, sessionIdOf } from "./asked";
import { authenticate } from "./authenticate";
import { type Errand, NO_ATTEMPTS, tryLanes } from "./call/attempts";
import { findingOf } from "./call/judge-failure";
import { supplierProblem } from "./call/supplier-problem";
import { Call } from "./call-record";
import type { Ask } from "./canonical/ask";
import { SupplierFailure } from "./canonical/supplier-failure";
import { messagesDialect } from "./dialects/messages";
import { forwardedHeaders, forwardMessages } from "./dialects/messages/forward";
import { readCountTokens } from "./dialects/messages/read";
import { endCall } from "./log/log-call";
import { noteRefusal } from "./log/refusal-log";
import { type Plan, type PricedLane, route } from "./route";
import { countPrompt } from "./settle/measure";
import { adapterOf } from "./suppliers/registry";

/** No request is sent to more suppliers than this; gw's own count is there for all that fail. */
const MOST_ATTEMPTS = 2;

type Count = { inputTokens: number; lane: PricedLane | null };

/**
 * How many tokens a messages request has: by the supplier that would get it, where that one counts, else by gw's own
 * tokenizer, marked in a header. Under the same locks as the request itself. Costs nothing and holds nothing.
 * Always answers in the dialect's error envelope and never rejects.
 */
export async function answerTokenCount(request: Request): Promise<Response> {
  const call = new Call(request, "messages/count_tokens");
  let response: Response;
  let caller: Caller | null = null;
  let ask: Ask | null = null;
  let lane: PricedLane | null = null;
  try {
    caller = await authenticate(request);
    const { limits } = config();
    const body = await readBody(request, limits.jsonBodyBytes, limits.requestTimeoutMs);
    ask = readCountTokens(body, await parseLongJson(body));
    const sessionId = sessionIdOf(request, ask);
    const asked: Asked = { call, caller, ask, dialect: messagesDialect, sessionId, claim: null };
    const count = (await countAtSupplier(asked, route(asked))) ?? (await estimate(ask));
    lane = count.lane;
    response = Response.json({ input_tokens: count.inputTokens }, { headers: headersOf(lane) });
  } catch (problem) {
    if (problem instanceof AppError) noteRefusal({ call, caller, ask }, problem);
    else log.error({ call: call.id, err: problem }, "unexpected problem in a token count");
    response = gatewayErrorResponse(problem, "messages");
  }
  response.headers.set("x-request-id", call.id);
  response.headers.set("request-id", call.id);
  endCall({ call, caller, ask }, { status: response.status, lane, settled: null, attempts: NO_ATTEMPTS });
  return response;
}

/** The count of the supplier that is first in line; null when it has none, or cannot be reached. Teaches routing what it learns. */
const countAtSupplier = (asked: Asked, plan: Plan): Promise<Count | null> => tryLanes(plan, new CountErrand(asked));

class CountErrand implements Errand<Count | null> {
  readonly #asked: Asked;
  #made = 0;
  #refused: SupplierFailure | null = null;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  async attempt({ lane, credential }: Try): Promise<Count | null> {
    this.#made += 1;
    const { call, ask } = this.#asked;
    const count = adapterOf(lane.supplier)?.countTokens;
    // Another supplier's count would be the count of another tokenizer, like gw's own.
    if (count === undefined) return null;
    const exchange = count({
      callId: call.id,
      lane,
      credential,
      dialect: "messages",
      stream: false,
      body: forwardMessages(ask, lane),
      headers: forwardedHeaders(call.request.headers),
    });
    call.whenGone(() => exchange.abort());
    const reply = await exchange.reply;
    const inputTokens = reply.kind === "whole" ? tokensIn(reply.body) : null;
    if (inputTokens !== null) return { inputTokens, lane };
    throw new SupplierFailure("protocol", "the supplier's answer is not a token count", { executed: "yes" });
  }

  /** How fast a count comes says nothing about how fast an answer does. */
  succeeded(count: Count | null): Finding {
    return { kind: count === null ? "unsent" : "rejected" };
  }

  failed(problem: unknown): { finding: Finding; goOn: boolean } {
    if (!(problem instanceof SupplierFailure)) throw problem;
    if (problem.kind === "aborted" || isClientsFault(problem)) this.#refused = problem;
    const hasNoCount = problem.status === 404 || problem.status === 405 || problem.status === 501;
    const goOn = this.#refused === null && !hasNoCount && this.#made < MOST_ATTEMPTS;
    return { finding: hasNoCount ? { kind: "rejected" } : findingOf(problem), goOn };
  }

  gaveUp(): null {
    if (this.#refused !== null) throw supplierProblem(this.#refused, 1);
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

/** The supplier found something wrong with the request itself. */
const isClientsFault = ({ status }: SupplierFailure) => status === 400 || status === 413 || status === 422;

const estimate = async (ask: Ask): Promise<Count> => ({
  inputTokens: await countPrompt(ask, messagesDialect),
  lane: null,
});

function headersOf(lane: PricedLane | null): Record<string, string> {
  if (lane === null) return { "x-gw-token-source": "estimated" };
  const { name, region } = lane.supplier;
  return { "x-gw-token-source": "supplier", "x-gw-supplier": name, "x-gw-region": region };
}
