export { applyDueEvents, applyEvent } from "./apply-event";
export {
  type CheckoutRequest,
  type CheckoutStatus,
  fundingBoundsBroken,
  readCheckoutStatus,
  readProcessorConfig,
  startCardSetup,
  startCheckout,
} from "./checkout";
export { creditByHand, type HandCredit } from "./credit-by-hand";
export { idempotencyKeyOf } from "./customer";
export { centsOf, plainUsd, priceOfCredit } from "./fee";
export { type OwnFunding, readOwnFunding } from "./funding";
export { compareEvents, lookUpPayments, readDeadEvents, replayEvent } from "./look-up";
export { deletePaymentMethod, listPaymentMethods, makeDefault } from "./payment-methods";
export { listPayments, type PaymentPage } from "./payments";
export { isProcessorConfigured } from "./processor";
export { receiveEvent } from "./receive-event";
export { readWallet, type WalletView } from "./wallet-page";
