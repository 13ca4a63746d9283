import { config } from "~/config.server";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import { apiError } from "~/errors/app-error";
import { plainUsd } from "~/values/money";
import { listCards } from "../card-store";
import { fundingBoundsBroken } from "../checkout/checkout";
import { priceOfCredit } from "../checkout/fee";
import { type OwnFunding, readOwnFunding } from "../checkout/funding";
import { processorSettings } from "../processor";
import { AUTO_TOPUP_CONSENT_VERSION, type AutoTopupPolicy } from "../shared";
import { cancelCreated } from "./operation-store";
import { findPolicy, isCardRefused, lockAutoTopup, putSetting, readTopupFacts } from "./settings-store";
import { isReady } from "./start";

/** New settings. Amounts are nano-USD; the limits include fees. */
export type AutoTopupChange = {
  /** The version of the settings that the person saw; 0 for none. */
  version: number;
  thresholdNanoUsd: bigint;
  amountNanoUsd: bigint;
  dayLimitNanoUsd: bigint;
  monthLimitNanoUsd: bigint;
  /** The sentence they agreed to, and its language. */
  consent: { version: string; language: string };
};

/**
 * Enables automatic charges of the actor's default card when the wallet that they may fund falls below a threshold,
 * within limits. Each change is a version with its own consent. Records an audit event. Returns the version.
 * @throws AppError billing_unavailable; forbidden for another person's wallet; conflict when the operator has not
 *   approved it, the wallet is exempt, there is no card or its bank has reported it, the settings have changed, or the
 *   consent is to another sentence; invalid_request for amounts.
 */
export async function saveAutoTopup(db: Db, actor: Actor, change: AutoTopupChange): Promise<number> {
  processorSettings();
  if (!isReady()) throw apiError("conflict", { key: "rejections:autoTopupTax" });
  const funding = await readOwnFunding(db, actor);
  if (!funding.mayFund) throw apiError("forbidden", { key: "rejections:fundsByAdmins" });
  if (funding.exempt) throw apiError("conflict", { key: "rejections:exemptWallet" });
  const policy = await findPolicy(db);
  if (policy === null || !policy.approved) throw apiError("conflict", { key: "rejections:autoTopupPolicy" });
  if (change.consent.version !== AUTO_TOPUP_CONSENT_VERSION)
    throw apiError("conflict", { key: "rejections:autoTopupConsent", param: "consent" });
  requireBounds(change, policy);
  const card = (await listCards(db, actor.userId)).find(({ isDefault }) => isDefault);
  if (card === undefined) throw apiError("conflict", { key: "rejections:autoTopupCard" });
  if (await isCardRefused(db, card.id)) throw apiError("conflict", { key: "rejections:autoTopupCardRefused" });
  return put(db, actor, funding, {
    seen: change.version,
    settings: change,
    consent: { policyVersion: policy.version, ...change.consent },
  });
}

/**
 * Stops automatic charges at once; a charge that was already sent to the processor is not recalled. Records an audit
 * event. Safe to repeat: returns the version.
 * @throws AppError forbidden for another person's wallet; conflict when it was never switched on.
 */
export async function switchOffAutoTopup(db: Db, actor: Actor): Promise<number> {
  const funding = await readOwnFunding(db, actor);
  if (!funding.mayFund) throw apiError("forbidden", { key: "rejections:fundsByAdmins" });
  return put(db, actor, funding, { seen: null, settings: null, consent: null });
}

type Put = {
  /** Null: any version. */
  seen: number | null;
  settings: AutoTopupChange | null;
  consent: { policyVersion: number; version: string; language: string } | null;
};

function put(db: Db, actor: Actor, { walletId, payer }: OwnFunding, { seen, settings, consent }: Put): Promise<number> {
  return inTransaction(db, async (tx) => {
    await lockAutoTopup(tx, walletId);
    const before = await readTopupFacts(tx, walletId);
    const last = before?.version ?? 0;
    if (seen !== null && seen !== last) throw apiError("conflict", { key: "problems:conflict" });
    const amounts = settings ?? before;
    if (amounts === null) throw apiError("conflict", { key: "rejections:autoTopupOff" });
    if (consent === null && before?.active === false && before.pauseReason === null) return last;
    const { thresholdNanoUsd, amountNanoUsd, dayLimitNanoUsd, monthLimitNanoUsd } = amounts;
    const values = { thresholdNanoUsd, amountNanoUsd, dayLimitNanoUsd, monthLimitNanoUsd };
    const version = last + 1;
    const active = consent !== null;
    await putSetting(tx, { walletId, version, userId: actor.userId, active, ...values, consent });
    if (!active) await cancelCreated(tx, walletId);
    await recordAuditEvent(tx, {
      by: authorOf(actor),
      action: active ? "auto_topup.save" : "auto_topup.off",
      target: { kind: "auto_topup", id: walletId, label: `wallet of ${payer.kind} ${payer.id}` },
      organisationId: payer.organisationId,
      subjectUserId: payer.kind === "user" ? payer.id : null,
      after: { version, ...(active && { ...values, consent: consent.version }) },
    });
    return version;
  });
}

function requireBounds(change: AutoTopupChange, policy: AutoTopupPolicy): void {
  const { thresholdNanoUsd, amountNanoUsd, dayLimitNanoUsd, monthLimitNanoUsd } = change;
  const bounds = fundingBoundsBroken(amountNanoUsd);
  if (bounds !== null)
    throw apiError("invalid_request", { key: "problems:fundingAmount", values: bounds, param: "amount" });
  const { totalNanoUsd } = priceOfCredit(amountNanoUsd, config().funding);
  const between = (param: string, nanoUsd: bigint, [minimum, maximum]: readonly [bigint, bigint]) => {
    if (nanoUsd >= minimum && nanoUsd <= maximum) return;
    const values = { least: plainUsd(minimum), most: plainUsd(maximum) };
    throw apiError("invalid_request", { key: "problems:amountBetween", values, param });
  };
  if (totalNanoUsd > policy.maxChargeNanoUsd) {
    const values = { most: plainUsd(policy.maxChargeNanoUsd), charge: plainUsd(totalNanoUsd) };
    throw apiError("invalid_request", { key: "problems:autoTopupAmount", values, param: "amount" });
  }
  between("threshold", thresholdNanoUsd, [10_000_000n, policy.maxDayNanoUsd]);
  between("daily_limit", dayLimitNanoUsd, [totalNanoUsd, policy.maxDayNanoUsd]);
  between("monthly_limit", monthLimitNanoUsd, [dayLimitNanoUsd, policy.maxMonthNanoUsd]);
}
