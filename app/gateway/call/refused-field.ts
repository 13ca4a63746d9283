import type { SupplierFailure } from "../canonical/supplier-failure";

/** A tuning field: its name, its spellings in suppliers' errors, and its paths in bodies, outermost member first. */
type Tunable = { field: string; written: readonly string[]; places: readonly (readonly string[])[] };

const MORE = "additionalModelRequestFields";
const at = (...places: string[]) => places.map((place) => place.split("."));

/**
 * All fields that may be dropped from a request if its supplier refuses them. Excluded are fields that define the
 * question, the tools, the format of the answer, its length or its price. See docs/decisions/061.
 */
export const TUNABLES: readonly Tunable[] = [
  {
    field: "temperature",
    written: ["temperature"],
    places: at("temperature", "inferenceConfig.temperature", "generationConfig.temperature"),
  },
  {
    field: "top_p",
    written: ["top_p", "topP", "p"],
    places: at("top_p", "p", "inferenceConfig.topP", "generationConfig.topP"),
  },
  {
    field: "top_k",
    written: ["top_k", "topK", "k"],
    places: at("top_k", "k", "generationConfig.topK", `${MORE}.top_k`, `${MORE}.inferenceConfig`),
  },
  {
    field: "stop",
    written: ["stop", "stop_sequences", "stopSequences"],
    places: at("stop", "stop_sequences", "inferenceConfig.stopSequences", "generationConfig.stopSequences"),
  },
  ...["frequency_penalty", "presence_penalty", "repetition_penalty"].map((field) => ({
    field,
    written: [field, field.replace(/_p/, "P")],
    places: at(field),
  })),
  ...[
    ...["min_p", "top_a", "prompt_cache_key", "prompt_cache_retention", "parallel_tool_calls", "stream_options"],
    ...["metadata", "prediction"],
    // Codex describes itself in this field. OpenAI accepts it, other suppliers refuse it.
    "client_metadata",
  ].map((field) => ({ field, written: [field], places: at(field) })),
  { field: "seed", written: ["seed", "random_seed"], places: at("seed", "random_seed") },
  { field: "user", written: ["user", "safety_identifier"], places: at("user", "safety_identifier") },
  { field: "verbosity", written: ["verbosity", "text.verbosity"], places: at("verbosity", "text.verbosity") },
  { field: "reasoning.summary", written: ["reasoning.summary"], places: at("reasoning.summary") },
  {
    field: "reasoning_effort",
    written: [
      ...["reasoning_effort", "reasoningEffort", "reasoning.effort", "reasoning", "effort", "output_config.effort"],
      ...["thinking", "thinking.type", "thinking.budget_tokens", "enable_thinking", "thinking_budget", "budget_tokens"],
      ...["chat_template_kwargs", "thinkingConfig", "thinking_config", "thinkingLevel", "reasoningConfig"],
    ],
    places: at(
      ...["reasoning_effort", "reasoning", "thinking", "output_config.effort", "enable_thinking", "thinking_budget"],
      ...["chat_template_kwargs", "generationConfig.thinkingConfig", `${MORE}.thinking`, `${MORE}.output_config`],
      ...[`${MORE}.reasoning_effort`, `${MORE}.reasoning`, `${MORE}.reasoningConfig`],
    ),
  },
];

/** Fields that are not for tuning. If an error names one of them too, nothing is dropped. */
const MEANINGS =
  /[`'"](?:messages|input(?!['"]:)|tools|tool_choice|response_format|max_tokens|max_completion_tokens|max_output_tokens|model|n)[`'"]/;
/** Phrases of suppliers for "the model does not support this field, or not this value". */
const REFUSES =
  /(?:un|not? )(?:support|permitted|allowed|recogni[sz]ed|known)|unsupported|deprecated|unknown (?:name|parameter|field|argument)|unexpected (?:keyword|parameter|field)|extra (?:inputs|fields)|cannot both|no longer|does not (?:support|exist|accept)|only .{1,40} (?:is|are) (?:supported|allowed)|may only be set|input should be ['"]/i;
/** Phrases for "the model supports the field, but not this value". */
const VALUES = /supported values|should be|one of|must be (?:between|less|greater|at|one)|out of range/i;

/** A refused field. `isForGood`: refused whatever its value. */
type Refused = { field: string; isForGood: boolean };

/**
 * Returns the tuning field that a supplier's 400 or 422 names in its parameter or message. Null if the error names
 * another field, none, or a value that the client should correct.
 */
export function refusedField({ kind, status, supplierParam, message, executed }: SupplierFailure): Refused | null {
  if (kind !== "status" || executed !== "no" || (status !== 400 && status !== 422)) return null;
  const isValue = VALUES.test(message) && !/only the default|only 1\b/i.test(message);
  if (supplierParam !== null && supplierParam !== "") {
    const named = tunableOf(supplierParam.replace(/^(?:body|additionalModelRequestFields|generation_?config)\./i, ""));
    if (named !== null) return REFUSES.test(message) ? { field: named, isForGood: !isValue } : null;
    // Some suppliers put the kind of error into this field.
    if (!/validation|invalid/i.test(supplierParam)) return null;
  }
  if (MEANINGS.test(message) || !REFUSES.test(message)) return null;
  const field = namedIn(message);
  if (field.length === 0) return null;
  const isPair = field.includes("temperature") && field.includes("top_p") && /both/i.test(message);
  return { field: isPair ? "top_p" : field[0]!, isForGood: !isValue };
}

const tunableOf = (written: string): string | null =>
  TUNABLES.find((tunable) => tunable.written.includes(written))?.field ?? null;

/**
 * Returns the fields named in a message: in quotes, after a word such as "parameter", or by a name that is not an
 * ordinary word.
 */
function namedIn(message: string): string[] {
  const names = [...message.slice(0, 2_000).matchAll(/([`'"]?)\b([A-Za-z][\w.]*\w|[kp])\b\1/g)];
  return names.flatMap(({ 1: quote, 2: name, index }) => {
    const field = tunableOf(name!.replace(/\.$/, ""));
    const isName =
      quote !== "" ||
      /[_A-Z.]/.test(name!) ||
      /(?:parameter|argument|field|invalid)s?:? ?$/i.test(message.slice(0, index));
    return field !== null && isName ? [field] : [];
  });
}
