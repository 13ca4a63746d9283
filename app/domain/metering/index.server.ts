export { priceMaximum, priceUsage, type UsageBounds } from "./price-usage";
export { exportAuditLog, readAuditLog } from "./read-audit-log";
