import type { Capability, PriceList } from "~/domain/catalogue/shared";
import { priceUsage } from "~/domain/pricing/index.server";
import type { ShownModel } from "../catalogue-view/shared";

/** A field of the calculator: its query name, value and maximum. */
export type CalculatorField = { name: FieldName; value: number; maximum: number };

type FieldName = "in" | "cached" | "out" | "seconds" | "characters" | "requests";
type Part = "fresh" | "cached" | "output" | "seconds" | "characters" | "request";

export type Calculation = {
  model: string;
  models: readonly string[];
  fields: readonly CalculatorField[];
  /** Null: there is no model to calculate with. */
  result: { each: bigint; day: bigint; month: bigint; lines: readonly Line[] } | null;
};

/** The cost of one part of the usage, in nano-USD. */
type Line = { part: Part; count: number; nanoUsd: bigint };

type FieldPlan = { name: FieldName; usual: number; maximum: number };

const TOKENS = 10_000_000;
const PLANS: Readonly<Record<Capability, readonly FieldPlan[]>> = {
  chat: [
    { name: "in", usual: 1_200, maximum: TOKENS },
    { name: "cached", usual: 0, maximum: TOKENS },
    { name: "out", usual: 400, maximum: TOKENS },
  ],
  embedding: [{ name: "in", usual: 500, maximum: TOKENS }],
  rerank: [{ name: "in", usual: 2_000, maximum: TOKENS }],
  moderation: [{ name: "in", usual: 500, maximum: TOKENS }],
  image: [
    { name: "in", usual: 100, maximum: TOKENS },
    { name: "out", usual: 1_056, maximum: TOKENS },
  ],
  transcription: [{ name: "seconds", usual: 60, maximum: 1_000_000 }],
  speech: [{ name: "characters", usual: 500, maximum: 4_096 }],
};
const REQUESTS: FieldPlan = { name: "requests", usual: 1_000, maximum: 1_000_000_000 };
const DAYS = 30n;

/**
 * Calculates the cost of similar requests with one of the models, from the query of the address. Values above a maximum
 * are reduced to it; invalid ones are replaced by the default. `priceOf`: returns the price of a model's first route.
 */
export function calculate(
  query: URLSearchParams,
  models: readonly Pick<ShownModel, "id" | "capability" | "isFault">[],
  priceOf: (modelId: string) => PriceList | null,
): Calculation {
  const offered = models.filter(({ isFault }) => !isFault);
  const model =
    offered.find(({ id }) => id === query.get("model")) ??
    offered.find(({ id }) => id === "sandbox-chat") ??
    offered.find(isChat) ??
    offered[0];
  const price = model && priceOf(model.id);
  if (!model || !price) return { model: "", models: [], fields: [], result: null };
  const fields = [...PLANS[model.capability], REQUESTS].map((plan) => fieldOf(plan, query.get(plan.name)));
  const entered = (name: string) => fields.find((field) => field.name === name)?.value ?? 0;
  const usage = {
    inputTokens: entered("in"),
    cachedInputTokens: entered("cached"),
    cacheWriteTokens: 0,
    outputTokens: entered("out"),
    milliseconds: entered("seconds") * 1_000,
    characters: entered("characters"),
  };
  const each = priceUsage(price, usage);
  const day = each * BigInt(entered("requests"));
  return {
    model: model.id,
    models: offered.map(({ id }) => id),
    fields,
    result: { each, day, month: day * DAYS, lines: linesOf(price, usage) },
  };
}

const isChat = ({ capability }: Pick<ShownModel, "capability">) => capability === "chat";

function fieldOf({ name, usual, maximum }: FieldPlan, input: string | null): CalculatorField {
  const value = input !== null && /^\d{1,12}$/.test(input.trim()) ? Math.min(Number(input), maximum) : usual;
  return { name, value, maximum };
}

type Usage = Parameters<typeof priceUsage>[1];

/** The cost of each part of the usage. The sum is the cost of one request, apart from rounding once. */
function linesOf(price: PriceList, usage: Usage): Line[] {
  const nothing = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, requests: 0 };
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const fresh = usage.inputTokens - cached;
  const parts: [Part, number, Usage][] = [
    ["fresh", fresh, { ...nothing, inputTokens: fresh }],
    ["cached", cached, { ...nothing, inputTokens: cached, cachedInputTokens: cached }],
    ["output", usage.outputTokens, { ...nothing, outputTokens: usage.outputTokens }],
    ["seconds", (usage.milliseconds ?? 0) / 1_000, { ...nothing, milliseconds: usage.milliseconds }],
    ["characters", usage.characters ?? 0, { ...nothing, characters: usage.characters }],
    ["request", 1, { ...nothing, requests: 1 }],
  ];
  return parts
    .map(([part, count, used]) => ({ part, count, nanoUsd: priceUsage(price, used) }))
    .filter(({ nanoUsd }) => nanoUsd > 0n);
}
