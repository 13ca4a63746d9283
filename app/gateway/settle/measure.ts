import type { ServiceTier } from "~/domain/catalogue/shared";
import type { UsageBounds } from "~/domain/metering/index.server";
import { ownTurn } from "~/time-slice";
import type { CallContext } from "../call-context";
import type { InferenceRequest } from "../canonical/inference-request";
import { NO_USAGE, type TokenSource, type Usage } from "../canonical/usage";
import type { Dialect } from "../dialects/dialect";
import { warnOperator } from "../log/warn-operator";
import type { PricedRoute } from "../route/route-plan";
import { countTokens } from "./estimate";

/** What tells how much was used: the supplier's totals, else its count of what went in, else the texts themselves. */
export type Measurable = {
  usage: Usage | null;
  estimated?: boolean;
  promptUsage?: Usage | null;
  outputText: () => string;
  /** The tier of service that answered, where it was told beside the usage. */
  serviceTier?: ServiceTier | undefined;
  /** Uses of tools that the answer shows. */
  toolUses?: number | undefined;
  /** Pictures that the answer shows: asked for only where they have to be counted. */
  pictures?: () => number;
};

/** How much was used, and by whose word. `refused`: what the supplier claimed and nobody believes, or nobody has a price for. */
export type Measured = { usage: Usage; source: TokenSource; refused: Partial<Usage> | null };

/** The supplier's own figures when they can be true, else gw's count of what went in and what came out. */
export function measured(
  call: Pick<CallContext, "inference" | "dialect">,
  bounds: UsageBounds,
  end: Measurable & { route: PricedRoute },
): Measured | Promise<Measured> {
  const found = countedOrReported(call, bounds, end);
  const finished = (counted: Measured) => atTierOf(end, withShownUses(end, bounds, counted));
  return found instanceof Promise ? found.then(finished) : finished(found);
}

/** Uses that nobody has reported are charged as far as the answer shows them, and as far as they were held. */
function withShownUses(
  { toolUses: shown = 0, route }: Measurable & { route: PricedRoute },
  bounds: UsageBounds,
  found: Measured,
): Measured {
  if (shown === 0 || found.usage.toolUses !== undefined) return found;
  if (route.price.perToolUse == null)
    return { ...found, refused: { ...found.refused, toolUses: found.refused?.toolUses ?? shown } };
  const toolUses = Math.min(shown, bounds.toolUses ?? shown);
  return { ...found, usage: { ...found.usage, toolUses } };
}

function atTierOf(end: Measurable, found: Measured): Measured {
  if (end.serviceTier === undefined || found.usage.serviceTier !== undefined) return found;
  return { ...found, usage: { ...found.usage, serviceTier: end.serviceTier } };
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
  // Sound, characters and searches have no tokens; those are of interest only where the price list names them.
  if (known !== null && (hasTokens(known) || !pricesTokens(end.route)))
    return { usage: known, source: believed === null || end.estimated ? "estimated" : "supplier", refused };
  return counted(call, bounds, { ...end, known, plausible, refused });
}

/** What gw counts itself. `known`: units that are not tokens; `plausible`: what was reported, where that can be true. */
async function counted(
  { inference, dialect }: Pick<CallContext, "inference" | "dialect">,
  bounds: UsageBounds,
  end: Measurable & { known: Usage | null; plausible: Usage | null; refused: Measured["refused"] },
): Promise<Measured> {
  const { known, plausible, refused } = end;
  // A tokenizer of gw's own may count a text higher than the supplier's, but no supplier goes beyond what it was asked.
  const shown = (await countTokens(end.outputText())) + picturesOf(end) * PICTURE_TOKENS;
  const outputTokens = Math.min(shown, bounds.outputTokens);
  const promptUsage = end.promptUsage ?? (plausible !== null && plausible.inputTokens > 0 ? plausible : null);
  if (promptUsage !== null && isPlausible(promptUsage, bounds))
    return { usage: { ...promptUsage, outputTokens }, source: "estimated", refused };
  const inputTokens = Math.min(await countPrompt(inference, dialect), bounds.inputTokens);
  return { usage: { ...(known ?? NO_USAGE), inputTokens, outputTokens }, source: "estimated", refused };
}

/** gw's own count of what goes in. */
export async function countPrompt(inference: InferenceRequest, dialect: Dialect): Promise<number> {
  await ownTurn(inference.size.bodyBytes);
  return (await countTokens(dialect.promptText(inference))) + (dialect.mediaTokens?.(inference) ?? 0);
}

/**
 * Whether a usage is the whole of it. No text is made of no tokens: suppliers that put a count into every event begin with
 * zeros, and a stream may break, or its client leave, before they count.
 */
const saysAll = (usage: Usage, end: Measurable): boolean =>
  usage.outputTokens > 0 || toldApart(usage) || (end.outputText() === "" && picturesOf(end) === 0);

const picturesOf = ({ pictures }: Measurable): number => pictures?.() ?? 0;

/** The least that a picture of a chat model is billed at: Google's list of prices, "Gemini 2.5 Flash Image", https://ai.google.dev/gemini-api/docs/pricing. */
const PICTURE_TOKENS = 1_290;

/** Tools that a supplier has run although none was asked for, and that have no price: not charged, and not forgotten. */
function unpriced({ toolUses }: Usage, { price }: PricedRoute): Partial<Usage> | null {
  return toolUses !== undefined && price.perToolUse == null ? { toolUses } : null;
}

/** What gw knows of a request that is not billed by tokens; null for all others. */
function unitsOf({ size }: InferenceRequest): Usage | null {
  const { milliseconds, characters } = size;
  return milliseconds === undefined && characters === undefined ? null : { ...NO_USAGE, milliseconds, characters };
}

/** Whether a usage is told in tokens: always, unless it is told in something else. */
const hasTokens = (usage: Usage) => usage.inputTokens + usage.outputTokens > 0 || !toldApart(usage);

/** Whether a usage is told in something beside tokens. */
const toldApart = ({ milliseconds, characters, requests }: Usage) =>
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
 * What suppliers put in on their own: a preamble, and the descriptions of tools that a request only names. The longest
 * that are known have about 1,500 tokens. A client's own text has no more tokens than bytes.
 */
const ADDED_INPUT_TOKENS = 4_000;
/**
 * A supplier keeps to the ceiling in tokens of its own, reasoning included. Intermediaries report tokens of another
 * vocabulary, up to a fifth more of them; beside that come the marks around an answer and what was in flight at the ceiling.
 */
const OTHER_VOCABULARY = 1.25;
const ADDED_OUTPUT_TOKENS = 100;

/** Whether a request can have caused such a usage. What it cannot have caused is a supplier's mistake and is not charged. */
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
