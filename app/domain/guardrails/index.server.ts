export { askWebhook } from "./ask-webhook";
export { type Checked, checkTexts, hitsOf } from "./check-texts";
export { changedRules, checkedChange, describeRules, guardrailsOf, readRules, readyRules } from "./rules";
export { type CompiledRule, TextScan } from "./scan";
export { changedWebhook, describeWebhook, readWebhook, viewOfWebhook, withSealedAddress } from "./webhook";
