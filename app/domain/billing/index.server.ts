export { decideAutoTopupPolicy, readAutoTopupPolicy } from "./auto-topup/policy";
export { runAutoTopups } from "./auto-topup/run";
export { saveAutoTopup, switchOffAutoTopup } from "./auto-topup/settings";
export { readAutoTopup, readAutoTopupOperation, readOpenAutoTopups, readPausedAutoTopups } from "./auto-topup/view";
export {
  type CheckoutStatus,
  fundingBoundsBroken,
  readCheckoutStatus,
  readProcessorConfig,
  startCardSetup,
  startCheckout,
} from "./checkout/checkout";
export { priceOfCredit } from "./checkout/fee";
export { readOwnFunding } from "./checkout/funding";
export { listMismatches as readMismatches } from "./checkout/mismatch-store";
export { checkConnection } from "./connection/check";
export { readConnectionProblems } from "./connection/problems";
export { handleEvent } from "./connection/prove";
export { creditByHand } from "./credit-by-hand";
export { idempotencyKeyOf } from "./customer";
export { applyDueEvents, applyEvent } from "./events/apply-event";
export { checkPayments, compareEvents, readDeadEvents, replayEvent } from "./events/look-up";
export { receiveEvent } from "./events/receive-event";
export { emailPaymentProblems } from "./notices/operators";
export { sendBillingNotices } from "./notices/send-billing-notices";
export { readPayerChoice, searchPayers } from "./payer-search";
export { deletePaymentMethod, listPaymentMethods, makeDefault } from "./payment-methods";
export { listPayments, readPayment } from "./payments";
export {
  type ReviewDecision,
  readLastComparison,
  readLatestAudit,
  readReview,
  readReviews,
  recordAudit,
  resolveReview,
} from "./reconcile";
export { exportLedger, readWallet, type WalletView } from "./wallet-page";
