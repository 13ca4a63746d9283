import { config } from "~/config.server";
import type { Caller } from "~/domain/keys/shared";
import { parseLongJson } from "~/http/body/json/parse-json";
import { readBody } from "~/http/body/read-body";
import { type AdmittedCall, admit } from "./admit";
import { allowOrigin } from "./allow-origin";
import { authenticate } from "./authenticate";
import { callSupplier, NO_ATTEMPTS, type Reply } from "./call";
import { type CallContext, sessionIdOf } from "./call-context";
import { Call } from "./call-record";
import type { InferenceRequest } from "./canonical/inference-request";
import { deliver } from "./deliver";
import { keepWaiting, waitingClientOf } from "./deliver/waiting-client";
import type { Dialect } from "./dialects/dialect";
import { isPending } from "./fast-path";
import { guardInput, guardOutput } from "./guard";
import { type Claim, claimOrReplay, idempotencyKeyOf } from "./idempotency";
import type { InternalCall } from "./in-process";
import { endCall, type Known } from "./log/log-call";
import { roomForBody } from "./long-bodies";
import { refuse } from "./refuse";
import { route } from "./route";
import { TokenBudget } from "./settle/estimate";
import { withStored } from "./stored-responses/resolve";

/**
 * Serves one inference request from start to finish: authenticate, parse, route, admit, call, deliver, settle. Always
 * answers in the dialect's error envelope and never rejects. `inProcess`: the portal makes the call for the owner of a
 * key.
 */
export async function serve(request: Request, dialect: Dialect, inProcess?: InternalCall): Promise<Response> {
  const call = new Call(request, dialect.endpoint, inProcess);
  let caller: Caller | null = null;
  let inference: InferenceRequest | null = null;
  let claim: Claim | null = null;
  let attempts = NO_ATTEMPTS;
  try {
    // Awaits even a cached caller: by the next tick a short body has arrived and can be read synchronously.
    caller = inProcess?.caller ?? (await authenticate(request));
    if (inProcess === undefined) allowOrigin(request, caller);
    const read = await parseRequest(request, dialect, caller);
    inference = read.inference;
    const idempotencyKey = inProcess?.idempotencyKey ?? idempotencyKeyOf(request);
    if (idempotencyKey !== null) {
      const claimed = await claimOrReplay({ call, caller, inference, body: read.body }, idempotencyKey);
      if (claimed instanceof Response) return replayed({ call, caller, inference }, claimed);
      claim = claimed;
    }
    const resolved = withStored(inference, caller);
    inference = isPending(resolved) ? await resolved : resolved;
    const sessionId = sessionIdOf(request, inference);
    const context: CallContext = { call, caller, inference, dialect, sessionId, claim };
    const plan = route(context);
    const admission = await admit(context, plan);
    inference = admission.inference;
    keepWaiting(call, inference, dialect);
    const dispatched = await dispatch({ call, caller, inference, dialect, sessionId, claim, plan, admission });
    inference = dispatched.admitted.inference;
    attempts = dispatched.reply.attempts;
    return await deliver(dispatched.admitted, dispatched.reply);
  } catch (error) {
    if (claim !== null) await claim.release();
    const refusal = refuse({ call, caller, inference, dialect, attempts }, error);
    return waitingClientOf(call)?.fail(error) ?? refusal;
  }
}

async function parseRequest(
  request: Request,
  dialect: Dialect,
  caller: Caller,
): Promise<{ inference: InferenceRequest; body: string | null }> {
  if (dialect.readUpload !== undefined) return { inference: await dialect.readUpload(request), body: null };
  const { limits } = config();
  const room = roomForBody(request, caller.keyId, limits);
  if (room !== undefined) await room;
  const body = await readBody(request, limits.jsonBodyBytes, limits.requestTimeoutMs);
  const long = parseLongJson(body);
  return { inference: dialect.read(body, long === null ? null : await long), body };
}

/** Returns the stored answer to an earlier request with the same Idempotency-Key; nothing is held, called or booked. */
function replayed(known: Known, response: Response): Response {
  endCall(known, { status: response.status, route: null, settled: null, attempts: NO_ATTEMPTS });
  return response;
}

/**
 * Guards and verifies the request and calls the suppliers. `admitted` is the call as it was made. Never rejects: every
 * failure after the hold becomes a reply, which is settled.
 */
async function dispatch(admittedCall: AdmittedCall): Promise<{ admitted: AdmittedCall; reply: Reply }> {
  let admitted = admittedCall;
  try {
    // Slow checks run after rate limits and budgets.
    const checked = guardInput(admittedCall);
    const guarded = isPending(checked) ? await checked : checked;
    admitted = guarded;
    const { inference, dialect, plan } = guarded;
    if (dialect.verify) {
      const budget = new TokenBudget();
      await dialect.verify(inference, (text, enough) => budget.count(text, enough));
    }
    const reply = guardOutput(guarded, await callSupplier(guarded, plan));
    return { admitted, reply: isPending(reply) ? await reply : reply };
  } catch (error) {
    return { admitted, reply: { kind: "failed", problem: error, attempts: NO_ATTEMPTS } };
  }
}
