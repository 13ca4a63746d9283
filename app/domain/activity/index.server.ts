export { readAuditEvents, recordAuditEvent } from "./audit-events";
export { type Done, doTogether, undo } from "./together";
export {
  describeAuditLog,
  expectedHead,
  isSound,
  logAuditHead,
  verifyAuditLog,
} from "./verify";
