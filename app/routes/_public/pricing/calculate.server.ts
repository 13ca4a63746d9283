import type { Capability, PriceList } from "~/domain/catalogue/shared";
import { priceUsage } from "~/domain/metering/index.server";
import { usdNumber } from "~/http/money-json";
import type { ShownModel } from "../catalogue-view/shared";
import { usd } from "../catalogue-view/shown-models.server";

/** A field of the calculator: its name in the address, its words, and what it holds. */
export type CalculatorField = { name: string; label: string; value: number; most: number };

export type Calculation = {
  model: string;
  models: readonly string[];
  fields: readonly CalculatorField[];
  /** Null: there is nothing to calculate with. */
  result: { each: string; day: string; month: string; lines: readonly { name: string; amount: string }[] } | null;
};

type FieldPlan = { name: string; label: string; usual: number; most: number };

const TOKENS = 10_000_000;
const PLANS: Readonly<Record<Capability, readonly FieldPlan[]>> = {
  chat: [
    { name: "in", label: "Input tokens", usual: 1_200, most: TOKENS },
    { name: "cached", label: "of them cached", usual: 0, most: TOKENS },
    { name: "out", label: "Output tokens", usual: 400, most: TOKENS },
  ],
  embedding: [{ name: "in", label: "Input tokens", usual: 500, most: TOKENS }],
  rerank: [{ name: "in", label: "Tokens of query and documents", usual: 2_000, most: TOKENS }],
  transcription: [{ name: "seconds", label: "Seconds of audio", usual: 60, most: 1_000_000 }],
  speech: [{ name: "characters", label: "Characters", usual: 500, most: 4_096 }],
};
const REQUESTS: FieldPlan = { name: "requests", label: "Requests a day", usual: 1_000, most: 1_000_000_000 };
const DAYS = 30n;

/**
 * What requests of a kind cost with one of the models, by the query of the address. Values that cannot be are cut to what
 * can. `priceOf`: the price of a model's first route.
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
    result: { each: usdNumber(each), day: rounded(day), month: rounded(day * DAYS), lines: linesOf(price, usage) },
  };
}

const isChat = ({ capability }: Pick<ShownModel, "capability">) => capability === "chat";

function fieldOf({ name, label, usual, most }: FieldPlan, given: string | null): CalculatorField {
  const value = given !== null && /^\d{1,12}$/.test(given.trim()) ? Math.min(Number(given), most) : usual;
  return { name, label, value, most };
}

type Usage = Parameters<typeof priceUsage>[1];

/** Each part of the usage at its own price; together they are what one request costs, but for the one rounding. */
function linesOf(price: PriceList, usage: Usage) {
  const nothing = { inputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 0, requests: 0 };
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  const fresh = usage.inputTokens - cached;
  const parts: [string, Usage][] = [
    [`${fresh.toLocaleString("en-US")} fresh input tokens`, { ...nothing, inputTokens: fresh }],
    [
      `${cached.toLocaleString("en-US")} cached input tokens`,
      { ...nothing, inputTokens: cached, cachedInputTokens: cached },
    ],
    [`${usage.outputTokens.toLocaleString("en-US")} output tokens`, { ...nothing, outputTokens: usage.outputTokens }],
    [`${(usage.milliseconds ?? 0) / 1_000} seconds`, { ...nothing, milliseconds: usage.milliseconds }],
    [`${(usage.characters ?? 0).toLocaleString("en-US")} characters`, { ...nothing, characters: usage.characters }],
    ["The request itself", { ...nothing, requests: 1 }],
  ];
  return parts
    .map(([name, part]) => ({ name, nanoUsd: priceUsage(price, part) }))
    .filter(({ nanoUsd }) => nanoUsd > 0n)
    .map(({ name, nanoUsd }) => ({ name, amount: usdNumber(nanoUsd) }));
}

/** Sums of a day or a month in cents; what is below a cent stays exact. */
const CENT = 10_000_000n;
const rounded = (nanoUsd: bigint) =>
  nanoUsd < CENT ? usdNumber(nanoUsd) : grouped(usd(((nanoUsd + CENT / 2n) / CENT) * CENT));

function grouped(amount: string): string {
  const [whole = "", places = ""] = amount.split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${places}`;
}
