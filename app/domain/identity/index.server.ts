export { completeSetup, isSetupLinkUsable, issueSetupToken, type SetupOutcome } from "./complete-setup";
export { createOwner, ownerToSetUp } from "./create-owner";
export { hashPassword, verifyPassword } from "./password";
