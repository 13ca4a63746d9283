import { config } from "~/config.server";
import { type Finding, health, steadyNow, Tries, type Try } from "~/domain/routing/index.server";
import { AppError } from "~/errors/app-error";
import { gatewayErrorResponse } from "~/errors/envelope";
import { parseLongJson } from "~/http/parse-json";
import { readBody } from "~/http/read-body";
import { log } from "~/log.server";
import { authenticate } from "./authenticate";
import { findingOf } from "./call/judge-failure";
import { supplierProblem } from "./call/supplier-problem";
import { Call } from "./call-record";
import type { Ask } from "./canonical/ask";
import type { SupplierAdapter } from "./canonical/exchange";
import { SupplierFailure } from "./canonical/supplier-failure";
import { messagesDialect } from "./dialects/messages";
import { forwardedHeaders, forwardMessages } from "./dialects/messages/forward";
import { readCountTokens } from "./dialects/messages/read";
import { logCall } from "./log/log-call";
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
  let lane: PricedLane | null = null;
  try {
    const caller = await authenticate(request);
    call.caller = caller;
    const { limits } = config();
    const body = await readBody(request, limits.jsonBodyBytes, limits.requestTimeoutMs);
    const ask = readCountTokens(body, await parseLongJson(body));
    call.ask = ask;
    const count =
      (await countAtSupplier(call, ask, route(caller, ask, messagesDialect, call))) ?? (await estimate(ask));
    lane = count.lane;
    response = Response.json({ input_tokens: count.inputTokens }, { headers: headersOf(lane) });
  } catch (problem) {
    if (problem instanceof AppError) noteRefusal(call, problem);
    else log.error({ call: call.id, err: problem }, "unexpected problem in a token count");
    response = gatewayErrorResponse(problem, "messages");
  }
  response.headers.set("x-request-id", call.id);
  response.headers.set("request-id", call.id);
  logCall(call, { status: response.status, lane, settled: null });
  call.close();
  return response;
}

/** The count of the supplier that is first in line; null when it has none, or cannot be reached. Teaches routing what it learns. */
async function countAtSupplier(
  call: Call,
  ask: Ask,
  { lanes, model, session, pinnedCredential }: Plan,
): Promise<Count | null> {
  const tries = new Tries({ lanes, modelId: model.id, session, pinnedCredential }, health);
  for (let made = 0; made < MOST_ATTEMPTS; made += 1) {
    const next = tries.next(steadyNow());
    if (next === null) return null;
    const adapter = adapterOf(next.lane.supplier);
    let finding: Finding = { kind: "unsent" };
    try {
      // Another supplier's count would be the count of another tokenizer, like gw's own.
      if (adapter?.countTokens === undefined) return null;
      const inputTokens = await asked(call, ask, next, adapter.countTokens);
      // How fast a count comes says nothing about how fast an answer does.
      finding = { kind: "rejected" };
      return { inputTokens, lane: next.lane };
    } catch (problem) {
      if (!(problem instanceof SupplierFailure)) throw problem;
      const hasNoCount = problem.status === 404 || problem.status === 405 || problem.status === 501;
      finding = hasNoCount ? { kind: "rejected" } : findingOf(problem);
      if (problem.kind === "aborted" || isClientsFault(problem)) throw supplierProblem(problem, 1);
      if (hasNoCount) return null;
    } finally {
      tries.report(next, finding, steadyNow());
    }
  }
  return null;
}

async function asked(
  call: Call,
  ask: Ask,
  { lane, credential }: Try,
  count: NonNullable<SupplierAdapter["countTokens"]>,
): Promise<number> {
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
  if (reply.kind === "whole") {
    const tokens = tokensIn(reply.body);
    if (tokens !== null) return tokens;
  }
  throw new SupplierFailure("protocol", "the supplier's answer is not a token count", { executed: "yes" });
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
