export { askWebhook } from "./ask-webhook";
export {
  changeGuardrails,
  changeGuardrailWebhook,
  type LockedHolder,
  readGuardrails,
  sealGuardrailWebhooks,
} from "./change";
export { type Checked, checkTexts, hitsOf } from "./check-texts";
export { guardrailsOf, readRules, readyRules } from "./rules";
export { type CompiledRule, TextScan } from "./scan";
export { viewOfWebhook } from "./webhook";
