import { randomUUID } from "node:crypto";
import { db } from "~/db.server";
import { walletOf } from "~/domain/accounting/index.server";
import { applySession } from "~/domain/billing/apply-event";
import { putCard, putCustomer } from "~/domain/billing/card-store";
import { priceOfCredit } from "~/domain/billing/fee";
import { insertPayment, markReceipt, openPayment } from "~/domain/billing/store";
import { changeAlertSettings, consentToAlerts, deliverAlerts, evaluateBudgets } from "~/domain/budgets/index.server";
import { createPromotion, redeemCode } from "~/domain/promotions/index.server";
import { leaderOf, type SeededOrganisation } from "./people";

const NANO_PER_CENT = 10_000_000n;
const NANO_PER_USD = 1_000_000_000n;
const MONTH_MS = 30 * 86_400_000;
const FEE = { feeMillionths: 29_000n, feeFixedNanoUsd: 300_000_000n };

/** A payment by card for an organisation's wallet, as it is after the processor has said that it was paid. */
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

/** Credit for one organisation, and a code that one of its people redeems. `giver` runs the installation. */
export async function givePromotions(giver: SeededOrganisation, to: SeededOrganisation): Promise<void> {
  const expiresAt = new Date(Date.now() + 3 * MONTH_MS);
  const terms = { amountNanoUsd: 10n * NANO_PER_USD, limitPerPayer: 1, limitTotal: 100, expiresAt };
  const give = (name: string, audience: "organisation" | "code", recipientId: number | null) =>
    createPromotion(db(), leaderOf(giver), { ...terms, name, audience, recipientId, requestId: randomUUID() });
  await give("Welcome credit", "organisation", to.id);
  const { code } = await give("Conference", "code", null);
  await redeemCode(db(), leaderOf(to), { typed: code!, requestId: randomUUID() });
}

/** The card that whoever runs an organisation pays with, as it is saved after a payment. */
export async function saveCard(organisation: SeededOrganisation): Promise<void> {
  const { userId } = leaderOf(organisation);
  await putCustomer(db(), userId, `cus_demo_${userId}`);
  const expYear = new Date().getUTCFullYear() + 3;
  await putCard(db(), userId, { id: `pm_demo_${userId}`, brand: "visa", last4: "4242", expMonth: 12, expYear });
}

/**
 * Whoever runs an organisation wants to be told about everything that they manage, and about their wallet as soon as a part of
 * what they are given has been spent: whatever day and hour it is, there is something to tell.
 */
export async function turnAlertsOn(organisation: SeededOrganisation): Promise<void> {
  const leader = leaderOf(organisation);
  const lowBalanceNanoUsd = BigInt(organisation.cast.grantUsd || 5) * NANO_PER_USD;
  await changeAlertSettings(db(), leader, { active: true, lowBalanceNanoUsd });
  await consentToAlerts(db(), leader);
}

/** Looks at the budgets and notes what was told. Nobody of the demo has a mailbox: nothing is sent. */
export async function tellAlerts(): Promise<void> {
  await evaluateBudgets(db());
  await deliverAlerts(db(), { alert: async () => undefined, webhookDisabled: async () => undefined });
}
