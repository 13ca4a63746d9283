export { deliverAlerts, purgeAlerts } from "./deliver";
export { evaluateBudgets } from "./evaluate";
export { readAlertHistory } from "./history";
export { changeAlertSettings, consentToAlerts, readAlertSettings, revokeAlertConsent } from "./settings";
export {
  readWebhook,
  removeWebhook,
  rotateWebhookSecret,
  saveWebhook,
  sealAlertWebhooks,
  sendToWebhook,
  testWebhook,
} from "./webhook";
