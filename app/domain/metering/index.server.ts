export { readAutorouterReport, readRoutedRequests } from "./autorouter";
export { firstRequestOf, keyUseOfMonth, keyUseSince, lastUses, recentRequests } from "./dashboard/read";
export { explainPrice, type PriceLine, sumOfLines } from "./explain-price";
export { maxOutputTokensFor, priceMaximum, priceUsage, type UsageBounds } from "./price-usage";
export { exportAuditLog, readAuditLog } from "./read-audit-log";
export { purgeOldRejections, recentRejections, recordRejections } from "./rejections";
export { exportRequests, readRequest, readRequests } from "./request-log";
export { usageSeries, usageTotals } from "./usage";
export { nameGroups } from "./usage-names-store";
