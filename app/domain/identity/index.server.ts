export { type Account, administratorsOf, findAccountById, findOwners, namesOfPeople } from "./account-store";
export { addressSuffices, emailsProve } from "./address-proof";
export { hardDelete } from "./administer-delete";
export { type PersonDetail, readPerson } from "./administer-detail";
export { joinByInvitation, type NewMember } from "./administer-join";
export { listChoices, listPeople, type PeoplePage, type PersonView } from "./administer-list";
export { PEOPLE_SORTS, type PeopleFilter } from "./administer-list-query";
export {
  type BillingConfig,
  setBillingConfig,
  setBillingExempt,
  setCreditLimit,
  setMonthlyBudget,
} from "./administer-money";
export { setDepartment, setOrganisation } from "./administer-place";
export { leaveRole, setRole } from "./administer-role";
export {
  grantableRoles,
  listScopeOf,
} from "./administer-rules";
export {
  type Consequences,
  previewConsequences,
  SETTABLE_STATUSES,
  setStatus,
} from "./administer-status";
export { lockPerson } from "./administer-store";
export { completeSetup, isSetupLinkUsable, issueSetupToken } from "./complete-setup";
export { createOwner, ownerToSetUp } from "./create-owner";
export { changeCredit, type OrganisationCredit, readOrganisationCredit } from "./credit";
export {
  acceptDelegation,
  askDelegation,
  type DelegationNews,
  endDelegation,
  listDelegations,
} from "./delegated-payer";
export { accountOfIdentity, linkIdentity } from "./external";
export { browserHash, issueHandOff, redeemHandOff } from "./hand-off";
export { deviceOf, markDevice } from "./known-device";
export { type LeftBehind, type Withdrawn, withdraw } from "./left-behind";
export { acceptLegal, legalStatus } from "./legal";
export { newToken } from "./one-time-token";
export {
  changeDisplayName,
  changeOnboarding,
  changePassword,
  changePreferences,
  hasCompany,
  readOwnAccount,
  readPreferences,
  unlinkIdentity,
} from "./own-account";
export { type HelpPanel, isHelpShown, setOwnAutorouter, showHelp } from "./own-autorouter";
export { hashPassword, verifyPassword } from "./password";
export {
  type PlaygroundReservation,
  readPlaygroundBudget,
  reservePlayground,
  settlePlayground,
} from "./playground-budget";
export { withdrawProjectKeys } from "./project-keys";
export { proveAgain } from "./prove-again";
export { purgeEnded } from "./purge-ended";
export { confirmByReset, lookAtReset, requestReset, resetPassword } from "./reset";
export {
  endOwnSession,
  endSession,
  endSessionsOf,
  listOwnSessions,
  personOfSession,
  type SignedInPerson,
  setAdminView,
  startSession,
} from "./sessions";
export { checkPassword, type PasswordAttempt, type SignInOutcome } from "./sign-in";
export { issueSignInLink, lookAtSignInLink, redeemSignInLink, SIGN_IN_LINK_SECONDS } from "./sign-in-link";
export {
  createFirstMember,
  lookAtSignUp,
  proveSignUp,
  redeemSignUp,
  renewSignUp,
  requestSignUp,
  type SignUpEmail,
} from "./sign-up";
export {
  rateLimitEmailTo,
  rateLimitExpression,
  rateLimitPromotionCode,
  refundPromotionCodeRateLimit,
} from "./throttle";
