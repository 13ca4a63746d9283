export { readAuditEvents, recordAuditEvent } from "./audit-events";
export {
  type AuditHead,
  type AuditLogReport,
  describeAuditLog,
  expectedHead,
  isSound,
  logAuditHead,
  verifyAuditLog,
} from "./verify";
