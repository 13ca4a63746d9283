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
export { idempotencyKeyOf } from "./customer";
export { centsOf, plainUsd, priceOfCredit } from "./fee";
export { type OwnFunding, readOwnFunding } from "./funding";
export { compareEvents, lookUpPayments, readDeadEvents, replayEvent } from "./look-up";
export { isProcessorConfigured } from "./processor";
export { receiveEvent } from "./receive-event";
