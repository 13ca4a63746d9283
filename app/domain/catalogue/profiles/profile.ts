import type { OutputField } from "../shared";

/** Fields that tune an answer without changing what is asked, by their names in a chat request. */
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
 * `withoutThinking`: taken where the request turns thinking off. `unsaid`: a client's own bytes may say it, and no translation
 * does.
 */
export type FieldRule = "taken" | "refused" | "withoutThinking" | "unsaid";

/** How hard to think, from not at all to the most. */
export const EFFORT_LEVELS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type EffortLevel = (typeof EFFORT_LEVELS)[number];

/**
 * How a request says how hard to think:
 * - `none`: not at all, the field is refused or unknown;
 * - `effort`: `reasoning_effort: level`;
 * - `reasoning`: `reasoning: { effort: level }`;
 * - `adaptive`: `thinking: { type: "adaptive" }` and `output_config: { effort: level }`;
 * - `budget`: `thinking: { type: "enabled", budget_tokens }`;
 * - `switch`: `thinking: { type: "enabled" | "disabled" }`, and `reasoning_effort` where there are levels;
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
  /** The levels that exist, `none` among them only where a level turns thinking off. Empty: thinking is on or off. */
  levels: readonly EffortLevel[];
  /** Levels beside which the model takes neither a ceiling of the output nor samplers. */
  unbounded: readonly EffortLevel[];
  /** What stands for a level that does not exist; absent: the next lower one, else the next higher one. */
  standsFor: Readonly<Partial<Record<EffortLevel, EffortLevel>>>;
  /** It thinks where the request says nothing. */
  byDefault: boolean;
  /** A request can keep it from thinking. */
  canStop: boolean;
  /** The least number of tokens that keeps it from thinking as far as it can be, where thinking is counted in tokens. */
  leastBudget: number;
  mostBudget: number;
  /** The key inside `chat_template_kwargs`. */
  templateKey: string;
  /** Beside the adaptive form a budget is taken as well. */
  takesBudget: boolean;
  /** `output_config.effort` is taken, also without thinking. */
  outputEffort: boolean;
};

/** JSON schema keywords that are refused; what they say goes into the description. */
export type SchemaRules = {
  refused: readonly string[];
  /** Formats of texts that are taken; null: all. */
  formats: readonly string[] | null;
  /** `minItems` is taken up to this number. */
  mostMinItems: number;
  /** Keywords that the outermost object may have; null: all. */
  top: readonly string[] | null;
  /** Every object says `additionalProperties: false`. */
  closed: boolean;
  /** The outermost object says `properties`, also without any. */
  properties: boolean;
  /** Taken as it is only where every object is closed and requires all its properties. */
  allRequired: boolean;
};

/** How thoughts go back to the model that had them. */
type ReasoningHistory = {
  /** The field of an assistant message in which they stand; null: they do not go back as text. */
  field: "reasoning_content" | "reasoning" | null;
  /** They stand in the content, as parts of type `thinking`, and go back there. */
  parts: boolean;
  /** `required`: a message with tool calls is refused without them while it thinks; `refused`: a message with them is refused. */
  back: "required" | "taken" | "refused";
  /** Requests of the responses format may ask for them encrypted, to bring them back. */
  encrypted: boolean;
  /** The list `reasoning_details` of its messages goes back as it came. */
  details: boolean;
};

/** A signature without which a tool call is not taken back. */
type CallSignature = {
  /** Members of the call that lead to it, from the outside inwards. */
  path: readonly string[];
  /** What is taken where none is known. */
  placeholder: string;
};

/**
 * What a model takes behind a supplier. Every member is always there: what an entry of the tables leaves out, the entry that it
 * is like says, and in the end the general profile.
 */
export type ModelProfile = {
  /** Its name in the tables, such as `openai/gpt-5.6`; what `profile:` in the catalogue names. */
  name: string;
  /** Fields that tune. */
  fields: Readonly<Record<TuningField, FieldRule>>;
  /** Of `temperature` and `top_p`, one may stand (`one`: the temperature does) or both. */
  samplers: "both" | "one";
  /** Above it a temperature is left out. */
  mostTemperature: number;
  /** Beside thinking `top_p` is taken from here on, and other samplers not at all; null: thinking makes no difference. */
  leastTopPWhileThinking: number | null;
  /** Where the Converse API takes `top_k`, inside `additionalModelRequestFields`. */
  topKField: "top_k" | "inferenceConfig.topK";
  /** The most stop sequences; null: any number. */
  mostStops: number | null;
  thinking: ThinkingRules;
  /** Function tools beside thinking: `taken`, or `responses`: by the responses API only, chat completions refuse them. */
  toolsWhileThinking: "taken" | "responses";
  /** A tool that must be called beside thinking: `taken`, or `refused`: then it does not think. */
  forcedToolWhileThinking: "taken" | "refused";
  /** Schemas of tools, of strict tools, and of structured output. */
  toolSchema: SchemaRules;
  strictToolSchema: SchemaRules;
  outputSchema: SchemaRules;
  /** Where chat requests state the most output; null: where the supplier's do. */
  outputField: OutputField | null;
  // How a history is written.
  /** System messages: `anywhere`; `leading`: several, before all others; `one`: a single one, the first message. */
  system: "anywhere" | "leading" | "one";
  /** A user message may follow a tool message. */
  userAfterTool: boolean;
  /** The beginning of an answer as the last message: `taken`, `prefix`: with `prefix: true`, or `refused`. */
  lastAssistant: "taken" | "prefix" | "refused";
  /** Ids of tool calls: `any`, `most40`: at most forty characters, or `alphanumeric9`: nine letters and digits. */
  callIds: "any" | "most40" | "alphanumeric9";
  /** Roles whose content may be a list of parts. */
  contentLists: readonly ("system" | "user" | "assistant" | "tool")[];
  /** Pictures of a tool result stand in its message, or in a user message behind the results. */
  resultPictures: "inside" | "behind";
  reasoning: ReasoningHistory;
  /** The members that a message of the assistant may have, none of them null but `content`; null: any. */
  assistantMembers: readonly string[] | null;
  /** Thoughts that the vendor of Claude has sealed go back to it. */
  takesSealedThoughts: boolean;
  /** null: its calls carry no signature. */
  callSignature: CallSignature | null;
  /** Marks for the prompt cache are taken. */
  cachePoints: boolean;
  // How an answer is read.
  /** An empty `finish_reason`, or one in every chunk, is no end. */
  trustsFinishReason: boolean;
  // How long it may be silent.
  /** Milliseconds to the first byte of a whole answer, and of silence inside a stream, where the supplier sets nothing. */
  silence: { firstByteMs: number; idleMs: number };
};

type ThinkingEntry = Partial<ThinkingRules>;

/** What an entry says; the rest is as in the entry that it is like. */
export type ProfileRules = Partial<Omit<ModelProfile, "name" | "fields" | "thinking" | "reasoning">> & {
  fields?: Partial<ModelProfile["fields"]>;
  thinking?: ThinkingEntry;
  reasoning?: Partial<ReasoningHistory>;
};

/** A model, or several, in the table of its family. */
export type ProfileEntry = {
  name: string;
  /** The entry that it is like; absent: the general profile. */
  like?: string;
  /** The names of its models at suppliers, lower case, without what stands before the last slash. */
  models: RegExp;
  /** A model's name that it is meant for. */
  example: string;
  /** Where it is said, and when that was read. */
  source: string;
  read: string;
  rules: ProfileRules;
};

/** What is different behind a supplier, for the models of some profiles. */
export type SupplierEntry = {
  supplier: SupplierFamily;
  /** Names of profiles, each with all that are like it; absent: every model there. */
  profiles?: readonly string[];
  /** Those that it is not for, likewise. */
  except?: readonly string[];
  source: string;
  read: string;
  rules: ProfileRules;
};

/** Suppliers that gw tells apart, by the preset, the host or the kind. */
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
