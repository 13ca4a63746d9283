import * as accounting from "~/domain/accounting/index.server";
import type { Parties, SpareRequest } from "~/domain/accounting/shared";
import type { Caller } from "~/domain/keys/shared";
import { apiError } from "~/errors/app-error";
import type { CallContext } from "../call-context";
import type { RoutePlan } from "../route/route-plan";
import type { Admission } from "./admission";
import { boundsOf, ceilingFor, holdOf } from "./bounds";
import { moneyError, type ShortCall } from "./refusal";
import { countFreeSandbox, isFreeSandbox } from "./sandbox-allowance";

export type { Admission, AdmittedCall } from "./admission";
export { admitUncharged } from "./uncharged";

/**
 * Holds the call's maximum cost at its most expensive route, in every scope at once, and counts the call against the
 * key's rate limit. Nothing is dispatched before this function returns. Calls that can only reach a sandbox are not
 * charged; they count against a limit of their organisation instead. If the client or its key allows it, a call that is
 * too expensive is admitted with a lower output limit instead of being refused: `inference` is then the request to
 * carry out.
 * @throws AppError rate_limit_exceeded, budget_exceeded, billing_limit_reached; billing_unavailable while the database
 * is unreachable; capacity_exceeded while it is too slow for all calls; supplier_price_unresolved for a tool that is
 * billed by use and has no price.
 */
export async function admit(context: CallContext, plan: RoutePlan): Promise<Admission> {
  const { caller, inference } = context;
  const bounds = boundsOf(inference, plan);
  if (bounds.toolUses !== undefined && inference.size.toolsAreOptional !== true) {
    if (plan.routes.some(({ price }) => price.perToolUse == null)) throw unpricedTool();
  }
  const { inProcess } = context.call;
  if (inProcess !== null) await inProcess.reserve(holdOf(plan, bounds).amountNanoUsd);
  if (!isFreeSandbox(caller, plan))
    return admitFor(context, plan, { parties: partiesOf(caller), bounds, isFree: false });
  const giveBack = countFreeSandbox(caller);
  try {
    const parties = { ...partiesOf(caller), exempt: true };
    return await admitFor(context, plan, { parties, bounds, isFree: true });
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** `parties`: those of the caller; exempt as well if only this call is not charged. */
type Asked = Pick<Admission, "parties" | "bounds" | "isFree">;

async function admitFor(context: CallContext, plan: RoutePlan, request: Asked): Promise<Admission> {
  const { call, caller, inference, claim } = context;
  // Deferred calls and calls with an Idempotency-Key need a hold in any case: after a crash it shows whether the call
  // was executed.
  const isDeferred = call.inProcess?.deferred !== undefined;
  if (request.parties.exempt && !caller.limited && claim === null && !isDeferred)
    return { ...request, held: false, priceVersion: 0, inference };
  const { hold, refusal } = await placeHold(context, plan, request);
  if (refusal === null) return { ...request, held: true, priceVersion: hold.priceVersion, inference };
  return lowerCeiling(context, plan, { ...request, refusal, amountNanoUsd: hold.amountNanoUsd });
}

/** @throws AppError rate_limit_exceeded */
async function placeHold({ call, caller }: CallContext, plan: RoutePlan, { parties, bounds }: Omit<Asked, "isFree">) {
  const hold = holdOf(plan, bounds);
  const request = requestOf(parties, caller.rateLimitRpm, hold);
  const isDeferred = call.inProcess?.deferred !== undefined;
  const spare = isDeferred || call.hasId ? null : accounting.takeSpareHold(request);
  if (spare !== null) {
    call.adoptId(spare.callId);
    await spare.written;
    return { hold, refusal: null };
  }
  const limits = isDeferred ? DEFERRED_LIMITS : null;
  const verdict = await accounting.admit({ callId: call.id, ...request, ...limits }, call);
  if (verdict.kind === "held") return { hold, refusal: null };
  if (verdict.code !== "rate_limit_exceeded") return { hold, refusal: verdict };
  throw apiError(verdict.code, { retryAfterSeconds: verdict.retryAfterSeconds });
}

/**
 * Deferred calls skip the rate limit, because they call nothing in this minute. They never wait for held money, because
 * other deferred calls hold theirs for hours.
 */
const DEFERRED_LIMITS = { rateLimitRpm: null, isPatient: false } as const;

/** Maximum retries with a lower limit; the free amount may be gone by the next try. */
const MAX_TRIES = 3;

/**
 * Lowers the output limit to what the tightest scope can pay for, if the client wants that and at least one token fits.
 * @throws AppError of the refusal otherwise
 */
async function lowerCeiling(
  context: CallContext,
  plan: RoutePlan,
  refused: Asked & Pick<ShortCall, "amountNanoUsd" | "refusal">,
): Promise<Admission> {
  const { call, inference, dialect } = context;
  const ceiling = dialect.outputCeiling?.(inference, plan.routes[0]!) ?? null;
  const { parties, isFree } = refused;
  let { refusal } = refused;
  for (let tries = 1; ; tries += 1) {
    const tokens =
      ceiling === null ? null : ceilingFor(inference, plan, { ceiling, amountNanoUsd: refusal.shortage.freeNanoUsd });
    if (ceiling === null || tokens === null || tries > MAX_TRIES || !wantsFit(context))
      throw moneyError(context, { ...refused, refusal, ceiling, tokens });
    const lowered = dialect.read(ceiling.textWith(tokens));
    const bounds = boundsOf(lowered, plan);
    const placed = await placeHold(context, plan, { parties, bounds });
    if (placed.refusal !== null) {
      refusal = placed.refusal;
      continue;
    }
    call.fittedOutputTokens = tokens;
    return { parties, isFree, held: true, bounds, priceVersion: placed.hold.priceVersion, inference: lowered };
  }
}

/** The request's header takes precedence over the key's setting. */
function wantsFit({ call, caller }: CallContext): boolean {
  const header = call.request.headers.get("x-gw-fit-output")?.toLowerCase();
  return header === undefined || header === "" ? caller.spending?.fitsOutput === true : header === "true";
}

const unpricedTool = () =>
  apiError("supplier_price_unresolved", {
    userMessage:
      "The request offers a tool that the supplier bills by use, and this installation has no price for its uses.",
    param: "tools",
  });

/** Lists every field: a spread costs a microsecond, and this runs on every call. */
const requestOf = (
  parties: Parties,
  rateLimitRpm: number | null,
  hold: { amountNanoUsd: bigint; priceVersion: number },
): SpareRequest => ({
  keyId: parties.keyId,
  userId: parties.userId,
  departmentId: parties.departmentId,
  projectId: parties.projectId,
  organisationId: parties.organisationId,
  walletId: parties.walletId,
  exempt: parties.exempt,
  rateLimitRpm,
  amountNanoUsd: hold.amountNanoUsd,
  priceVersion: hold.priceVersion,
});

function partiesOf(caller: Caller): Parties {
  const { keyId, userId, departmentId, projectId, organisationId, walletId, exempt } = caller;
  return { keyId, userId, departmentId, projectId, organisationId, walletId, exempt };
}
