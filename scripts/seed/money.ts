import { randomUUID } from "node:crypto";
import { db } from "~/connection/db.server";
import { walletOf } from "~/domain/accounting/index.server";
import { putCard, putCustomer } from "~/domain/billing/card-store";
import { priceOfCredit } from "~/domain/billing/checkout/fee";
import { applySession } from "~/domain/billing/events/apply-event";
import { insertPayment, markReceipt, openPayment } from "~/domain/billing/store";
import { changeAlertSettings, consentToAlerts, deliverAlerts, evaluateBudgets } from "~/domain/budgets/index.server";
import { createPromotion, redeemCode } from "~/domain/promotions/index.server";
import { leaderOf, type SeededOrganisation } from "./people";

const NANO_PER_CENT = 10_000_000n;
const NANO_PER_USD = 1_000_000_000n;
const MONTH_MS = 30 * 86_400_000;
const FEE = { feeMillionths: 29_000n, feeFixedNanoUsd: 300_000_000n };

/** Records a card payment to an organisation's wallet, in the state after the processor's confirmation. */
export async function payByCard(organisation: SeededOrganisation, usd: number): Promise<void> {
  const walletId = await walletOf(db(), { kind: "organisation", id: organisation.id });
  if (walletId === null) return;
  const amount = BigInt(usd) * NANO_PER_USD;
  const { feeNanoUsd: fee, totalNanoUsd } = priceOfCredit(amount, FEE);
  const subtotalCents = Number(totalNanoUsd / NANO_PER_CENT);
  const [id, sessionId] = [randomUUID(), `cs_test_demo_${randomUUID()}`];
  const party = { walletId, organisationId: organisation.id, userId: leaderOf(organisation).userId };
  await insertPayment(db(), { id, ...party, idempotencyKey: null, livemode: false, amount, fee, subtotalCents });
  await openPayment(db(), id, sessionId);
  const facts = { sessionId, mode: "payment", reference: id, paymentStatus: "paid", currency: "usd", subtotalCents };
  const rest = { totalCents: subtotalCents, taxCents: 0, intentId: `pi_demo_${id}`, setupIntentId: null };
  await applySession(db(), { ...facts, ...rest }, { livemode: false });
  await markReceipt(db(), id, { card: "visa 4242", receiptUrl: null });
}

/**
 * Gives a promotion to one organisation, and a code that one of its people redeems. `giver` operates the installation.
 */
export async function grantPromotions(giver: SeededOrganisation, to: SeededOrganisation): Promise<void> {
  const expiresAt = new Date(Date.now() + 3 * MONTH_MS);
  const terms = { amountNanoUsd: 10n * NANO_PER_USD, limitPerPayer: 1, limitTotal: 100, expiresAt };
  const give = (name: string, audience: "organisation" | "code", recipientId: number | null) =>
    createPromotion(db(), leaderOf(giver), { ...terms, name, audience, recipientId, requestId: randomUUID() });
  await give("Welcome credit", "organisation", to.id);
  const { code } = await give("Conference", "code", null);
  await redeemCode(db(), leaderOf(to), { typed: code!, requestId: randomUUID() });
}

/** Saves the payment card of an organisation's leader, in the state after a payment. */
export async function saveCard(organisation: SeededOrganisation): Promise<void> {
  const { userId } = leaderOf(organisation);
  await putCustomer(db(), userId, `cus_demo_${userId}`);
  const expYear = new Date().getUTCFullYear() + 3;
  await putCard(db(), userId, { id: `pm_demo_${userId}`, brand: "visa", last4: "4242", expMonth: 12, expYear });
}

/**
 * Subscribes an organisation's leader to all budget alerts, and to a low-balance alert as soon as part of the grant has
 * been spent, so that the demo contains alerts whatever its date and time.
 */
export async function turnAlertsOn(organisation: SeededOrganisation): Promise<void> {
  const leader = leaderOf(organisation);
  const lowBalanceNanoUsd = BigInt(organisation.cast.grantUsd || 5) * NANO_PER_USD;
  await changeAlertSettings(db(), leader, { active: true, lowBalanceNanoUsd });
  await consentToAlerts(db(), leader);
}

/** Evaluates the budgets and records alerts. People of the demo have no mailbox, so nothing is sent. */
export async function tellAlerts(): Promise<void> {
  await evaluateBudgets(db());
  await deliverAlerts(db(), { alert: async () => undefined, webhookDisabled: async () => undefined });
}
