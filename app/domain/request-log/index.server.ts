export { newestOfBatch, sumOfBatches } from "./batch-requests-store";
export { exportAuditLog, readAuditLog } from "./read-audit-log";
export { firstRequestOf, lastUses, recentRequests } from "./recent-requests";
export { exportRejectedRequests, readRejectedRequests } from "./rejected-requests";
export {
  keysOutOfMoney,
  outOfMoney,
  purgeOldRejections,
  recentRejections,
  recordRejections,
  rejectionsSince,
} from "./rejections";
export { countRequests, exportRequests, readRequest, readRequests, readRoutedRequests } from "./request-log";
export { type RequestPlace, readSortedRequests } from "./sorted-requests";
export { readSupplierErrors } from "./supplier-errors-store";
