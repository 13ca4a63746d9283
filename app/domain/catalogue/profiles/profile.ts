import type { OutputField } from "../shared";

/** Fields that tune an answer without a change to the question, by their names in a chat request. */
export const TUNING_FIELDS = [
  "temperature",
  "top_p",
  "top_k",
  "stop",
  "frequency_penalty",
  "presence_penalty",
  "verbosity",
  "seed",
  "logprobs",
  "logit_bias",
  "parallel_tool_calls",
  "user",
] as const;
export type TuningField = (typeof TUNING_FIELDS)[number];

/**
 * `withoutThinking`: accepted if the request turns thinking off. `unsaid`: passed on in a client's own body, omitted in
 * translation.
 */
export type FieldRule = "taken" | "refused" | "withoutThinking" | "unsaid";

/** Reasoning efforts, in ascending order. */
export const EFFORT_LEVELS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type EffortLevel = (typeof EFFORT_LEVELS)[number];

/**
 * The form in which a request states the reasoning effort:
 * - `none`: not at all, because the field is rejected or unknown;
 * - `effort`: `reasoning_effort: level`;
 * - `reasoning`: `reasoning: { effort: level }`;
 * - `adaptive`: `thinking: { type: "adaptive" }` and `output_config: { effort: level }`;
 * - `budget`: `thinking: { type: "enabled", budget_tokens }`;
 * - `switch`: `thinking: { type: "enabled" | "disabled" }`, and `reasoning_effort` if there are levels;
 * - `enableThinking`: `enable_thinking: boolean` and `thinking_budget`;
 * - `template`: `chat_template_kwargs: { [key]: boolean }`;
 * - `level`: `thinkingConfig: { thinkingLevel }`; `tokens`: `thinkingConfig: { thinkingBudget }`;
 * - `reasoningConfig`: `reasoningConfig: { type, maxReasoningEffort }`;
 * - `tokenBudget`: `thinking: { type, token_budget }`.
 */
export type ThinkingForm =
  | "none"
  | "effort"
  | "reasoning"
  | "adaptive"
  | "budget"
  | "switch"
  | "enableThinking"
  | "template"
  | "level"
  | "tokens"
  | "reasoningConfig"
  | "tokenBudget";

type ThinkingRules = {
  form: ThinkingForm;
  /** Supported levels; `none` only if a level turns thinking off. Empty: thinking is on or off. */
  levels: readonly EffortLevel[];
  /** Levels at which the model accepts neither an output limit nor sampling fields. */
  unbounded: readonly EffortLevel[];
  /** Replacements of unsupported levels; absent: the next lower level, else the next higher one. */
  standsFor: Readonly<Partial<Record<EffortLevel, EffortLevel>>>;
  /** The model thinks if the request does not state an effort. */
  byDefault: boolean;
  /** A request can turn thinking off. */
  canStop: boolean;
  /** Smallest thinking budget in tokens, at which the model thinks as little as possible; and the largest. */
  minBudget: number;
  maxBudget: number;
  /** The key in `chat_template_kwargs`. */
  templateKey: string;
  /** The adaptive form also accepts a budget. */
  takesBudget: boolean;
  /** `output_config.effort` is accepted, also without thinking. */
  outputEffort: boolean;
};

/** Rules for JSON schemas. Rejected keywords are moved into the description. */
export type SchemaRules = {
  refused: readonly string[];
  /** Accepted string formats; null: all. */
  formats: readonly string[] | null;
  /** Maximum accepted `minItems`. */
  maxMinItems: number;
  /** Keywords that the outermost object may have; null: all. */
  top: readonly string[] | null;
  /** Every object must have `additionalProperties: false`. */
  closed: boolean;
  /**
   * Tool parameters must be plain: an object with properties, without a union at the top, in the current draft of JSON
   * Schema. gw changes even a client's own body for it; in translation, parameters are always made plain.
   */
  plain: boolean;
  /**
   * Properties, items and choices must have a type, a choice in each of its schemas only; a tuple must not describe
   * additional items.
   */
  typed: boolean;
  /** Accepted unchanged only if every object is closed and requires all its properties. */
  allRequired: boolean;
};

/** How reasoning is returned to the model that wrote it. */
type ReasoningHistory = {
  /** Field of an assistant message with the reasoning; null: not returned as text. */
  field: "reasoning_content" | "reasoning" | null;
  /** Reasoning is in the content, as parts of type `thinking`, and is returned there. */
  parts: boolean;
  /**
   * `required`: while thinking, a message with tool calls is rejected without reasoning; `refused`: a message with
   * reasoning is rejected.
   */
  back: "required" | "taken" | "refused";
  /** Requests of the responses format may request encrypted reasoning, to return it later. */
  encrypted: boolean;
  /** The list `reasoning_details` of its messages is returned unchanged. */
  details: boolean;
};

type MessageRole = "system" | "user" | "assistant" | "tool";

/** A signature that a returned tool call must have. */
type CallSignature = {
  /** Path of members from the call to the signature. */
  path: readonly string[];
  /** Value that is accepted if the signature is unknown. */
  placeholder: string;
};

/**
 * The rules of a model at a supplier. Every member has a value: an entry inherits omitted ones from the entry in its
 * `like`, and finally from the general profile.
 */
export type ModelProfile = {
  /** Its name in the tables, such as `openai/gpt-5.6`; the value of `profile:` in the catalogue. */
  name: string;
  /** Rules for tuning fields. */
  fields: Readonly<Record<TuningField, FieldRule>>;
  /** Whether `temperature` and `top_p` may both be set, or only one (`one`: the temperature is used). */
  samplers: "both" | "one";
  /** Maximum temperature; a higher one is omitted. */
  maxTemperature: number;
  /** Min `top_p` while thinking; other sampling fields are then omitted. Null: thinking makes no difference. */
  minTopPWhileThinking: number | null;
  /** Path of `top_k` in `additionalModelRequestFields` of the Converse API. */
  topKField: "top_k" | "inferenceConfig.topK";
  /** Maximum number of stop sequences; null: unlimited. */
  maxStops: number | null;
  thinking: ThinkingRules;
  /**
   * Function tools while thinking: `taken`, or `responses`: only in the responses API, chat completions reject them.
   */
  toolsWhileThinking: "taken" | "responses";
  /** A forced tool while thinking: `taken`, or `refused`: gw turns thinking off. */
  forcedToolWhileThinking: "taken" | "refused";
  /** Rules for schemas of tools, of strict tools, and of structured output. */
  toolSchema: SchemaRules;
  strictToolSchema: SchemaRules;
  outputSchema: SchemaRules;
  /** An empty list of tools, and settings for tools without any tool. */
  emptyTools: "taken" | "refused";
  /** Strict tools: `taken`, `uniform`: all tools of a request or none, or `refused`. */
  strictTools: "taken" | "uniform" | "refused";
  /**
   * A schema for the answer: `schema`: accepted; `json`: only JSON mode, the prompt states the schema; `told`: the
   * prompt states both.
   */
  outputForm: "schema" | "json" | "told";
  /** The answer format together with tools: `taken`, or `told` in the prompt. */
  outputFormBesideTools: "taken" | "told";
  /** Field for the maximum output in chat requests; null: as for the supplier. */
  outputField: OutputField | null;
  /** Rejected members of a chat body that do not affect the answer. */
  refusedMembers: readonly string[];
  // History.
  /** Developer messages: `taken`, or sent as `system` messages. */
  developer: "taken" | "system";
  /** System messages: `anywhere`; `leading`: several, before all others; `one`: only one, the first message. */
  system: "anywhere" | "leading" | "one";
  /** A user message may follow a tool message. */
  userAfterTool: boolean;
  /** A partial answer as the last message: `taken`, `prefix`: with `prefix: true`, or `refused`. */
  lastAssistant: "taken" | "prefix" | "refused";
  /** Ids of tool calls: `any`, `most40`: at most 40 characters, or `alphanumeric9`: nine letters and digits. */
  callIds: "any" | "most40" | "alphanumeric9";
  /** Names of tools: `any` of plain characters, or starting with a `letter`. */
  toolNames: "any" | "letter";
  /** Roles whose content may be a list of parts. */
  contentLists: readonly MessageRole[];
  /** Images and documents may be https URLs, if the supplier's format has a field for one. */
  fetchesAddresses: boolean;
  /** Images of a tool result: in its message (`inside`), or in a user message after the results (`behind`). */
  resultPictures: "inside" | "behind";
  reasoning: ReasoningHistory;
  /** Members that messages of a role may have, non-null except `content`; absent roles: any. */
  messageMembers: Readonly<Partial<Record<MessageRole, readonly string[]>>>;
  /** An assistant message without text and tool calls. */
  emptyAnswers: "taken" | "refused";
  /** Reasoning that the vendor of Claude has sealed is returned to it. */
  takesSealedThoughts: boolean;
  /** Sealed reasoning of other vendors with Claude's API. */
  foreignSeals: "taken" | "refused";
  /** null: its tool calls have no signature. */
  callSignature: CallSignature | null;
  /**
   * Reasoning detail of a message with tool calls whose own sealed detail is unknown, merged with the id of the first
   * call; null: not needed.
   */
  callDetail: Readonly<Record<string, unknown>> | null;
  /**
   * Prompt cache marks: `everywhere`; `content`: in the content of messages, not at tools; `unsaid`: passed on in a
   * client's own body, omitted in translation; `refused`: removed from a client's own body, too.
   */
  cachePoints: "everywhere" | "content" | "unsaid" | "refused";
  /** A mark may request a lifetime of one hour. */
  cachesForAnHour: boolean;
  // Timeouts.
  /**
   * Max milliseconds to the first byte of a whole answer, of silence within a stream (both unless the catalogue sets
   * them), and of a stream with signs of life but without content.
   */
  silence: { firstByteMs: number; idleMs: number; contentMs: number };
};

type ThinkingEntry = Partial<ThinkingRules>;

/** Rules of an entry; it inherits the others from the entry in its `like`. */
export type ProfileRules = Partial<Omit<ModelProfile, "name" | "fields" | "thinking" | "reasoning">> & {
  fields?: Partial<ModelProfile["fields"]>;
  thinking?: ThinkingEntry;
  reasoning?: Partial<ReasoningHistory>;
};

/** One or more models in the table of their family. */
export type ProfileEntry = {
  name: string;
  /** The entry to inherit from; absent: the general profile. */
  like?: string;
  /** Matches upstream model names in lower case, without the part up to the last slash. */
  models: RegExp;
  /** Example of a matching name. */
  example: string;
  /** Source of the rules, and the date on which it was read. */
  source: string;
  read: string;
  rules: ProfileRules;
};

/** Rules of a supplier, for the models of some profiles. */
export type SupplierEntry = {
  supplier: SupplierFamily;
  /** Profiles, each with those that inherit from it; absent: every model of the supplier. */
  profiles?: readonly string[];
  /** Excluded profiles, likewise. */
  except?: readonly string[];
  source: string;
  read: string;
  rules: ProfileRules;
};

/** Suppliers that gw distinguishes by preset, host or kind. */
export const SUPPLIER_FAMILIES = [
  "openai",
  "azure",
  "anthropic",
  "bedrock",
  "vertex",
  "gemini",
  "gemini-native",
  "mistral",
  "deepseek",
  "moonshot",
  "zai",
  "alibaba",
  "xai",
  "groq",
  "cerebras",
  "cohere",
  "openrouter",
  "ollama",
  "together",
  "fireworks",
  "nvidia",
  "minimax",
  "perplexity",
] as const;
export type SupplierFamily = (typeof SUPPLIER_FAMILIES)[number];
