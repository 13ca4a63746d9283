export { changeCredit, type OrganisationCredit, readMaxCredit, readOrganisationCredit } from "./credit";
export { lockCreditCeiling } from "./credit-store";
export {
  acceptDelegation,
  type DelegationNews,
  endDelegation,
  listDelegations,
  proposeDelegation,
} from "./delegated-payer";
export { endNomination } from "./end-nomination";
export {
  type PlaygroundReservation,
  readPlaygroundBudget,
  reservePlayground,
  settlePlayground,
} from "./playground-budget";
export { takeWalletAlong } from "./take-wallet-along";
