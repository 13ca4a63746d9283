export { readAuditEvents, recordAuditEvent } from "./audit-events";
export {
  describeAuditLog,
  expectedHead,
  isSound,
  logAuditHead,
  verifyAuditLog,
} from "./verify";
