import type { SupplierFailure } from "../canonical/supplier-failure";

/** A field that tunes: its name, how suppliers write it, and where it stands in bodies, each place from the outside inwards. */
type Tunable = { field: string; written: readonly string[]; places: readonly (readonly string[])[] };

const MORE = "additionalModelRequestFields";
const at = (...places: string[]) => places.map((place) => place.split("."));

/**
 * Everything that may be left out of a request because its supplier refuses it. What is asked, what may be called, the form of the
 * answer, its length and its price are not among them.
 */
export const TUNABLES: readonly Tunable[] = [
  {
    ...{ field: "temperature", written: ["temperature"] },
    places: at("temperature", "inferenceConfig.temperature", "generationConfig.temperature"),
  },
  {
    ...{ field: "top_p", written: ["top_p", "topP", "p"] },
    places: at("top_p", "p", "inferenceConfig.topP", "generationConfig.topP"),
  },
  {
    ...{ field: "top_k", written: ["top_k", "topK", "k"] },
    places: at("top_k", "k", "generationConfig.topK", `${MORE}.top_k`, `${MORE}.inferenceConfig`),
  },
  {
    ...{ field: "stop", written: ["stop", "stop_sequences", "stopSequences"] },
    places: at("stop", "stop_sequences", "inferenceConfig.stopSequences", "generationConfig.stopSequences"),
  },
  ...["frequency_penalty", "presence_penalty", "repetition_penalty"].map((field) => ({
    field,
    written: [field, field.replace(/_p/, "P")],
    places: at(field),
  })),
  ...["min_p", "top_a", "prompt_cache_key", "prompt_cache_retention", "parallel_tool_calls", "stream_options"].map(
    (field) => ({ field, written: [field], places: at(field) }),
  ),
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

/** Fields that an error may name beside: then it is about more than a field that tunes. */
const MEANINGS =
  /[`'"](?:messages|input(?!['"]:)|tools|tool_choice|response_format|max_tokens|max_completion_tokens|max_output_tokens|model|n)[`'"]/;
/** How suppliers say that a model does not have a field, or not with this word in it. */
const REFUSES =
  /(?:un|not? )(?:support|permitted|allowed|recogni[sz]ed|known)|unsupported|deprecated|unknown (?:name|parameter|field|argument)|unexpected (?:keyword|parameter|field)|extra (?:inputs|fields)|cannot both|no longer|does not (?:support|exist|accept)|only .{1,40} (?:is|are) (?:supported|allowed)|may only be set|input should be ['"]/i;
/** … and that it has the field, but not this value. */
const VALUES = /supported values|should be|one of|must be (?:between|less|greater|at|one)|out of range/i;

/** What a supplier has refused. `isForGood`: the field as such, whatever its value. */
type Refused = { field: string; isForGood: boolean };

/**
 * The field that tunes and that a supplier's 400 or 422 names, by its parameter or in its words; null where it names another one, none,
 * or one with a value that the client should correct.
 */
export function refusedField({ kind, status, supplierParam, message, executed }: SupplierFailure): Refused | null {
  if (kind !== "status" || executed !== "no" || (status !== 400 && status !== 422)) return null;
  const isValue = VALUES.test(message) && !/only the default|only 1\b/i.test(message);
  if (supplierParam !== null && supplierParam !== "") {
    const named = tunableOf(supplierParam.replace(/^(?:body|additionalModelRequestFields|generation_?config)\./i, ""));
    if (named !== null) return REFUSES.test(message) ? { field: named, isForGood: !isValue } : null;
    // Some have the kind of the error in this place.
    if (!/validation|invalid/i.test(supplierParam)) return null;
  }
  if (MEANINGS.test(message) || !REFUSES.test(message)) return null;
  const found = namedIn(message);
  if (found.length === 0) return null;
  const isPair = found.includes("temperature") && found.includes("top_p") && /both/i.test(message);
  return { field: isPair ? "top_p" : found[0]!, isForGood: !isValue };
}

const tunableOf = (written: string): string | null =>
  TUNABLES.find((tunable) => tunable.written.includes(written))?.field ?? null;

/** The fields that words name: in quotes, or behind the word for one, or by a name that is no word of a language. */
function namedIn(message: string): string[] {
  const words = [...message.slice(0, 2_000).matchAll(/([`'"]?)\b([A-Za-z][\w.]*\w|[kp])\b\1/g)];
  return words.flatMap(({ 1: quote, 2: name, index }) => {
    const field = tunableOf(name!.replace(/\.$/, ""));
    const isName =
      quote !== "" ||
      /[_A-Z.]/.test(name!) ||
      /(?:parameter|argument|field|invalid)s?:? ?$/i.test(message.slice(0, index));
    return field !== null && isName ? [field] : [];
  });
}
