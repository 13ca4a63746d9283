export {
  type Account,
  administratorsOf,
  findAccountById,
  findOwners,
  isDuplicateKey,
  lockPerson,
  namesOfPeople,
} from "./account-store";
export { addressSuffices, emailsProve } from "./address-proof";
export { acceptLegal, legalStatus } from "./legal";
export { newToken } from "./links/one-time-token";
export { completeSetup, isSetupLinkUsable, issueSetupToken } from "./opening/complete-setup";
export {
  createFirstMember,
  findSignUp,
  proveSignUp,
  redeemSignUp,
  renewSignUp,
  requestSignUp,
  type SignUpEmail,
} from "./opening/sign-up";
export { createOwner, ownerToSetUp } from "./opening/store";
export {
  changeDisplayName,
  changeOnboarding,
  changePassword,
  changePreferences,
  hasCompany,
  readOwnAccount,
  readPreferences,
  unlinkIdentity,
} from "./own/own-account";
export { type HelpPanel, isHelpShown, setOwnAutorouter, showHelp } from "./own/own-autorouter";
export { proveAgain } from "./own/prove-again";
export { requireStrongPassword } from "./passwords/new-password";
export { hashPassword, verifyPassword } from "./passwords/password";
export { purgeEnded } from "./purge-ended";
export { recordAbout } from "./record-about";
export {
  endOwnSession,
  endSession,
  endSessionsOf,
  listOwnSessions,
  personOfSession,
  type SignedInPerson,
  setAdminView,
  startSession,
} from "./sessions/sessions";
export { accountOfIdentity, linkIdentity } from "./sign-in/external";
export { browserHash, issueHandOff, redeemHandOff } from "./sign-in/hand-off";
export { deviceOf, markDevice } from "./sign-in/known-device";
export { confirmByReset, findReset, requestReset, resetPassword } from "./sign-in/reset";
export { checkPassword, type PasswordAttempt, type SignInOutcome } from "./sign-in/sign-in";
export { findSignInLink, issueSignInLink, redeemSignInLink, SIGN_IN_LINK_SECONDS } from "./sign-in/sign-in-link";
export {
  rateLimitEmailTo,
  rateLimitExpression,
  rateLimitPromotionCode,
  refundPromotionCodeRateLimit,
} from "./sign-in/throttle";
