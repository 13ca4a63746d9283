export { removeCredentialsOf, saveCredential } from "./change";
export { headroomOf, recordHeadroom } from "./headroom";
export { readCredentialViews, readTokenLog } from "./read-log";
export { recordTokenEvent } from "./record-events";
export {
  currentToken,
  purgeTokenEvents,
  readCredentials,
  renewTokens,
  resealCredentials,
  restoreRenewed,
  startCredentials,
  stopCredentials,
  tokenAfterRejection,
} from "./running";
export { syncCredentials } from "./sync";
export { NoToken } from "./token-keeper";
