export { readActs, recordAct } from "./acts";
export {
  type AuditHead,
  type AuditLogReport,
  describeAuditLog,
  expectedHead,
  isSound,
  logAuditHead,
  verifyAuditLog,
} from "./verify";
