import { config } from "~/config.server";
import { AppError, refusal } from "~/errors/app-error";
import { gatewayErrorResponse } from "~/errors/envelope";
import { parseLongJson } from "~/http/parse-json";
import { readBody } from "~/http/read-body";
import { log } from "~/log.server";
import { admit, type Ticket } from "./admit";
import { authenticate } from "./authenticate";
import { callSupplier, type Reply } from "./call";
import { supplierProblem } from "./call/supplier-problem";
import { Call } from "./call-record";
import type { Ask } from "./canonical/ask";
import { SupplierFailure } from "./canonical/supplier-failure";
import { deliver } from "./deliver";
import type { Dialect } from "./dialects/dialect";
import { claimOrReplay, idempotencyKeyOf } from "./idempotency";
import { logCall } from "./log/log-call";
import { noteRefusal } from "./log/refusal-log";
import { type Plan, route } from "./route";
import { settle } from "./settle";
import { TokenBudget } from "./settle/estimate";

/**
 * One inference request, start to finish, in one straight line: who, what, where to, may they, call, bring back, book.
 * Always answers in the dialect's error envelope and never rejects.
 */
export async function serve(request: Request, dialect: Dialect): Promise<Response> {
  const call = new Call(request, dialect.endpoint);
  try {
    const caller = await authenticate(request);
    call.caller = caller;
    const { ask, body } = await readAsk(request, dialect);
    ask.sessionId = sessionHeader(request) ?? ask.sessionId;
    call.ask = ask;
    const idempotencyKey = idempotencyKeyOf(request);
    if (idempotencyKey !== null) {
      const claimed = await claimOrReplay(call, caller, ask, idempotencyKey, body);
      if (claimed instanceof Response) return replayed(call, claimed);
      call.claim = claimed;
    }
    const plan = route(caller, ask, dialect, call);
    const ticket = await admit(call, caller, ask, plan);
    const reply = await dispatch(call, ask, plan, ticket, dialect);
    return await deliver({ call, ask, ticket, dialect }, reply);
  } catch (problem) {
    if (call.claim !== null) await call.claim.release();
    return refuse(call, dialect, problem);
  }
}

async function readAsk(request: Request, dialect: Dialect): Promise<{ ask: Ask; body: string | null }> {
  if (dialect.readUpload !== undefined) return { ask: await dialect.readUpload(request), body: null };
  const { limits } = config();
  const body = await readBody(request, limits.jsonBodyBytes, limits.requestTimeoutMs);
  return { ask: dialect.read(body, await parseLongJson(body)), body };
}

/** The stored answer to an earlier request with the same Idempotency-Key: nothing is held, called or booked for it. */
function replayed(call: Call, response: Response): Response {
  logCall(call, { status: response.status, lane: null, settled: null });
  call.close();
  return response;
}

/** Verifies the ask and calls the suppliers; a call that none of them answered is settled before the failure is told. */
async function dispatch(call: Call, ask: Ask, plan: Plan, ticket: Ticket, dialect: Dialect): Promise<Reply> {
  try {
    // What takes time comes behind the limits of the key and its payer.
    if (dialect.verify) {
      const budget = new TokenBudget();
      await dialect.verify(ask, (text, enough) => budget.count(text, enough));
    }
    return await callSupplier(call, ask, plan, dialect);
  } catch (problem) {
    const refused =
      problem instanceof SupplierFailure
        ? supplierProblem(problem, call.attempts.length)
        : problem instanceof AppError
          ? problem
          : refusal("internal_error", { cause: problem });
    const unknown = call.attempts.some(({ outcome }) => outcome === "unknown");
    const answered = problem instanceof SupplierFailure && problem.executed === "yes";
    await settle(call, ask, ticket, dialect, {
      kind: "failed",
      lane: null,
      executed: call.gone || answered ? "answered" : unknown ? "unknown" : "no",
      status: refused.status,
      errorCode: refused.code,
      byClient: call.gone,
    });
    throw refused;
  }
}

function refuse(call: Call, dialect: Dialect, problem: unknown): Response {
  const response = gatewayErrorResponse(problem, dialect.name === "messages" ? "messages" : "chat");
  if (problem instanceof AppError) noteRefusal(call, problem);
  else log.error({ call: call.id, err: problem }, "unexpected problem in a call");
  logCall(call, {
    status: response.status,
    lane: null,
    settled: null,
    errorCode: problem instanceof AppError ? problem.code : "internal_error",
  });
  response.headers.set("x-request-id", call.id);
  response.headers.set("request-id", call.id);
  call.close();
  return response;
}

/** The session identifier with the highest precedence: the header, before the body's two fields. */
function sessionHeader(request: Request): string | null {
  const value = request.headers.get("x-session-id");
  return value === null || value === "" ? null : value.slice(0, 256);
}
