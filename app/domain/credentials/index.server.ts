export { removeCredential, saveCredential } from "./change";
export { headroomOf, noteHeadroom } from "./headroom";
export { readCredentialViews, readTokenLog } from "./read-log";
export { flushTokenEvents, recordTokenEvent } from "./record-events";
export {
  currentToken,
  EVENT_LOG_DAYS,
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
