export { type Checked, checkTexts } from "./check-texts";
export { changedRules, describeRules, guardrailsOf, readRules, rulesFor } from "./rules";
export type { CompiledRule } from "./scan";
