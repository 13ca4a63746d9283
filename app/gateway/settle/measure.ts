import type { ServiceTier } from "~/domain/catalogue/shared";
import type { UsageBounds } from "~/domain/pricing/shared";
import { ownTurn } from "~/values/time-slice";
import type { CallContext } from "../call-context";
import type { InferenceRequest } from "../canonical/inference-request";
import { NO_USAGE, type TokenSource, type Usage } from "../canonical/usage";
import type { Dialect } from "../dialects/dialect";
import { settled } from "../fast-path";
import { warnOperator } from "../log/warn-operator";
import type { PricedRoute } from "../route/route-plan";
import { countTokens } from "./estimate";

/** Sources of a call's usage, best first: the supplier's totals, its count of the input, the texts themselves. */
export type Measurable = {
  usage: Usage | null;
  estimated?: boolean;
  promptUsage?: Usage | null;
  outputText: () => string;
  /** The service tier that answered, if reported outside the usage. */
  serviceTier?: ServiceTier | undefined;
  /** Tool uses visible in the answer. */
  toolUses?: number | undefined;
  /** Number of pictures in the answer; called only if gw must count them. */
  pictures?: () => number;
};

/** Measured usage and the origin of its counts. `refused`: reported usage that is implausible or has no price. */
export type Measured = { usage: Usage; source: TokenSource; refused: Partial<Usage> | null };

/** Returns the supplier's reported usage if it is plausible, else gw's own count of input and output. */
export function measured(
  call: Pick<CallContext, "inference" | "dialect">,
  bounds: UsageBounds,
  end: Measurable & { route: PricedRoute },
): Measured | Promise<Measured> {
  const measurement = countedOrReported(call, bounds, end);
  const finished = (counted: Measured) => atTierOf(end, withShownUses(end, bounds, counted));
  return settled(measurement, finished);
}

/** Adds tool uses that the supplier did not report but the answer shows, up to the number that was held. */
function withShownUses(
  { toolUses: shown = 0, route }: Measurable & { route: PricedRoute },
  bounds: UsageBounds,
  measurement: Measured,
): Measured {
  if (shown === 0 || measurement.usage.toolUses !== undefined) return measurement;
  if (route.price.perToolUse == null)
    return { ...measurement, refused: { ...measurement.refused, toolUses: measurement.refused?.toolUses ?? shown } };
  const toolUses = Math.min(shown, bounds.toolUses ?? shown);
  return { ...measurement, usage: { ...measurement.usage, toolUses } };
}

function atTierOf(end: Measurable, measurement: Measured): Measured {
  if (end.serviceTier === undefined || measurement.usage.serviceTier !== undefined) return measurement;
  return { ...measurement, usage: { ...measurement.usage, serviceTier: end.serviceTier } };
}

function countedOrReported(
  call: Pick<CallContext, "inference" | "dialect">,
  bounds: UsageBounds,
  end: Measurable & { route: PricedRoute },
): Measured | Promise<Measured> {
  const plausible = end.usage !== null && isPlausible(end.usage, bounds) ? end.usage : null;
  const believed = plausible !== null && saysAll(plausible, end) ? plausible : null;
  const refused = believed === null ? end.usage : unpriced(believed, end.route);
  if (end.usage !== null && plausible === null) warnOfImpossible(end.usage, bounds, end.route);
  const known = believed ?? unitsOf(call.inference);
  // Sound, characters and searches have no tokens; count tokens only if the price list has a price for them.
  if (known !== null && (hasTokens(known) || !pricesTokens(end.route)))
    return { usage: known, source: believed === null || end.estimated ? "estimated" : "supplier", refused };
  return counted(call, bounds, { ...end, known, plausible, refused });
}

/**
 * Counts the usage by gw's own tokenizer. `known`: units other than tokens; `plausible`: reported usage, if plausible.
 */
async function counted(
  { inference, dialect }: Pick<CallContext, "inference" | "dialect">,
  bounds: UsageBounds,
  end: Measurable & { known: Usage | null; plausible: Usage | null; refused: Measured["refused"] },
): Promise<Measured> {
  const { known, plausible, refused } = end;
  if (plausible !== null && plausible.outputTokens > 0) {
    const inputTokens = Math.min(await countPrompt(inference, dialect), bounds.inputTokens);
    return { usage: { ...known, ...plausible, inputTokens }, source: "estimated", refused };
  }
  // gw's tokenizer may count more tokens than the supplier's, but no supplier exceeds the requested maximum.
  const shown = (await countTokens(end.outputText())) + picturesOf(end) * PICTURE_TOKENS;
  const outputTokens = Math.min(shown, bounds.outputTokens);
  const promptUsage = end.promptUsage ?? (plausible !== null && plausible.inputTokens > 0 ? plausible : null);
  if (promptUsage !== null && isPlausible(promptUsage, bounds))
    return { usage: { ...promptUsage, outputTokens }, source: "estimated", refused };
  const inputTokens = Math.min(await countPrompt(inference, dialect), bounds.inputTokens);
  return { usage: { ...(known ?? NO_USAGE), inputTokens, outputTokens }, source: "estimated", refused };
}

/** Returns gw's own count of the input tokens. */
export async function countPrompt(inference: InferenceRequest, dialect: Dialect): Promise<number> {
  await ownTurn(inference.size.bodyBytes);
  return (await countTokens(dialect.promptText(inference))) + (dialect.mediaTokens?.(inference) ?? 0);
}

/**
 * Whether a reported usage is complete. Every text has tokens, so a zero beside one means that the count is missing.
 * Suppliers with usage in every event begin with zeros; a stream may break, or its client leave, before the count; and
 * some suppliers never count the input.
 */
const saysAll = (usage: Usage, end: Measurable): boolean =>
  reportedApart(usage) ||
  (usage.inputTokens > 0 && (usage.outputTokens > 0 || (end.outputText() === "" && picturesOf(end) === 0)));

const picturesOf = ({ pictures }: Measurable): number => pictures?.() ?? 0;

/**
 * Minimum billed tokens per picture of a chat model. Source: Google's price list, "Gemini 2.5 Flash Image",
 * https://ai.google.dev/gemini-api/docs/pricing.
 */
const PICTURE_TOKENS = 1_290;

/**
 * Returns tool uses of a supplier that the request did not ask for and that have no price: not charged, but recorded.
 */
function unpriced({ toolUses }: Usage, { price }: PricedRoute): Partial<Usage> | null {
  return toolUses !== undefined && price.perToolUse == null ? { toolUses } : null;
}

/** Returns the units that gw knows of a request that is not billed by tokens; null for all others. */
function unitsOf({ size }: InferenceRequest): Usage | null {
  const { milliseconds, characters } = size;
  return milliseconds === undefined && characters === undefined ? null : { ...NO_USAGE, milliseconds, characters };
}

/** Whether the usage is in tokens: it has tokens, or no other unit. */
const hasTokens = (usage: Usage) => usage.inputTokens + usage.outputTokens > 0 || !reportedApart(usage);

/** Whether the usage has a unit other than tokens. */
const reportedApart = ({ milliseconds, characters, requests }: Usage) =>
  (milliseconds ?? characters ?? requests) !== undefined;

const pricesTokens = ({ price }: PricedRoute) => price.inputPerMtok > 0n || price.outputPerMtok > 0n;

function warnOfImpossible(usage: Usage, { inputTokens, outputTokens }: UsageBounds, route: PricedRoute): void {
  const { supplierCostNanoUsd: _, ...reported } = usage;
  warnOperator(
    "a supplier reports more usage than its request can have caused: gw's own count is charged instead",
    route,
    { reported, possible: { inputTokens, outputTokens } },
  );
}

/**
 * Maximum input tokens that suppliers add: a preamble, and descriptions of tools that a request only names. The longest
 * known addition has about 1,500 tokens. A client's own text has no more tokens than bytes.
 */
const ADDED_INPUT_TOKENS = 4_000;
/**
 * Tolerance above the output limit. A supplier keeps to the limit in its own tokens, reasoning included. Intermediaries
 * report tokens of another vocabulary, up to a fifth more. Added to that are delimiters around the answer and tokens in
 * flight at the limit.
 */
const OTHER_VOCABULARY = 1.25;
const ADDED_OUTPUT_TOKENS = 100;

/** Whether a request can have caused this usage. If not, it is an error of the supplier and is not charged. */
export function isPlausible(usage: Usage, bounds: UsageBounds): boolean {
  const { milliseconds = 0, requests = 1, toolUses = 0 } = usage;
  return (
    usage.inputTokens <= bounds.inputTokens + ADDED_INPUT_TOKENS &&
    usage.outputTokens <= OTHER_VOCABULARY * bounds.outputTokens + ADDED_OUTPUT_TOKENS &&
    milliseconds <= 2 * (bounds.milliseconds ?? 0) + 60_000 &&
    requests <= 2 * (bounds.requests ?? 1) + 10 &&
    toolUses <= 2 * (bounds.toolUses ?? 0) + 10
  );
}
