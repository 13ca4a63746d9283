export { readAutorouterReport, readRoutedRequests } from "./autorouter";
export { atBatchPrice } from "./batch-price";
export { newestOfBatch, sumOfBatches } from "./batch-usage-store";
export { firstRequestOf, keyUseOfMonth, keyUseSince, lastUses, recentRequests } from "./dashboard/read";
export { explainPrice, type PriceLine, sumOfLines } from "./explain-price";
export { readLatencySpread } from "./latency-store";
export { type AskedTier, maxOutputTokensFor, priceMaximum, priceUsage, type UsageBounds } from "./price-usage";
export { readQuality } from "./quality";
export { exportAuditLog, readAuditLog } from "./read-audit-log";
export {
  countRejections,
  exportRejectedRequests,
  readRejectedRequests,
  rejectionReasons,
  rejectionsByGroup,
} from "./rejected-requests";
export {
  keysOutOfMoney,
  outOfMoney,
  purgeOldRejections,
  recentRejections,
  recordRejections,
  rejectionsSince,
} from "./rejections";
export { countRequests, exportRequests, readRequest, readRequests } from "./request-log";
export { readRouteTraffic } from "./route-traffic-store";
export { readStatusDays } from "./status-store";
export { readSupplierErrors } from "./supplier-errors-store";
export { usageBuckets, usagePages, usageSeries, usageTotals } from "./usage";
export { addUpUsage } from "./usage-days";
export { nameGroups } from "./usage-names-store";
export { daysBetween, narrowed, usageScopeOf, windowFor } from "./usage-question";
export { counterAnswer, countersAnswer, sumOfUsage, sumsByBucket, sumsByGroup } from "./usage-sums";
