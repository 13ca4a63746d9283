export { deliverAlerts, purgeAlerts } from "./deliver";
export { evaluateBudgets } from "./evaluate";
export { readAlertHistory } from "./history";
export { changeAlertSettings, consentToAlerts, readAlertSettings, revokeAlertConsent } from "./settings";
export { type ChangedBudget, changeBudget } from "./tree/change-budget";
export {
  type BudgetFilter,
  budgetsAtRisk,
  eachBudget,
  listBudgets,
  opensAtFirst,
  readBudgetTree,
  refText,
  type TreeRow,
} from "./tree/read-tree";
export {
  readWebhook,
  removeWebhook,
  rotateWebhookSecret,
  saveWebhook,
  sealAlertWebhooks,
  sendToWebhook,
  testWebhook,
} from "./webhook";
