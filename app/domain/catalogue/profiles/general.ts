import { type FieldRule, type ModelProfile, type SchemaRules, TUNING_FIELDS } from "./profile";

/** Every keyword of a schema is taken. */
export const ANY_SCHEMA: SchemaRules = {
  refused: [],
  formats: null,
  mostMinItems: Number.POSITIVE_INFINITY,
  top: null,
  closed: false,
  properties: false,
  allRequired: false,
};

/** What is assumed of a model that no table knows. It thinks, if it does, without being told how hard. */
export const GENERAL: ModelProfile = {
  name: "general",
  fields: {
    ...(Object.fromEntries(TUNING_FIELDS.map((field) => [field, "taken"])) as Record<string, FieldRule>),
    top_k: "unsaid",
    verbosity: "unsaid",
  } as ModelProfile["fields"],
  samplers: "both",
  mostTemperature: 2,
  leastTopPWhileThinking: null,
  topKField: "top_k",
  mostStops: null,
  thinking: {
    form: "none",
    levels: [],
    unbounded: [],
    standsFor: {},
    byDefault: false,
    canStop: false,
    leastBudget: 1_024,
    mostBudget: 32_000,
    templateKey: "enable_thinking",
    takesBudget: false,
    outputEffort: false,
  },
  toolsWhileThinking: "taken",
  forcedToolWhileThinking: "taken",
  toolSchema: ANY_SCHEMA,
  strictToolSchema: ANY_SCHEMA,
  outputSchema: ANY_SCHEMA,
  outputField: null,
  system: "anywhere",
  userAfterTool: true,
  lastAssistant: "taken",
  callIds: "any",
  contentLists: ["system", "user", "assistant", "tool"],
  resultPictures: "behind",
  reasoning: { field: "reasoning_content", parts: false, back: "taken", encrypted: false, details: false },
  assistantMembers: null,
  takesSealedThoughts: false,
  callSignature: null,
  cachePoints: false,
  trustsFinishReason: true,
  silence: { firstByteMs: 600_000, idleMs: 180_000 },
};
