import { createHash } from "node:crypto";
import { formatUsd, parseUsd, plainUsd } from "~/values/money";
import type { FilePrice } from "../file/file-schema";
import { SERVICE_TIERS } from "../shared";
import type { PriceLine } from "./read";
import { type AmountChange, type LineProblem, PRICE_COLUMNS, type PricePlan } from "./shared";

/** A route with the price in force at the time from which the file's prices apply. */
export type PricedRoute = {
  routeId: number;
  supplier: string;
  modelId: string;
  upstreamModel: string;
  capability: string;
  isOfFile: boolean;
  price: FilePrice | null;
  next: Date | null;
};

/** A change with the data to write it. */
export type RouteChange = { route: PricedRoute; price: FilePrice };

/**
 * Returns the changes that a file makes to existing prices. The fingerprint includes `from` and the prices before:
 * plans with equal fingerprints make the same change to the same prices.
 */
export function planPrices(
  lines: readonly PriceLine[],
  routes: readonly PricedRoute[],
  from: string | null,
): PricePlan & { writes: readonly RouteChange[] } {
  const byName = new Map(routes.map((route) => [nameOf(route.supplier, route.modelId, route.upstreamModel), route]));
  const seen = new Set<string>();
  const plan = { changes: [], writes: [], problems: [], unchanged: 0 } as {
    changes: PricePlan["changes"][number][];
    writes: RouteChange[];
    problems: PricePlan["problems"][number][];
    unchanged: number;
  };
  for (const line of lines) {
    const { supplier, model, upstreamModel, price } = line;
    const name = nameOf(supplier, model, upstreamModel);
    const route = byName.get(name);
    const isTwice = seen.has(name);
    seen.add(name);
    const amounts = route === undefined ? [] : changesOf(route.price, price);
    const problems = line.problems.length > 0 ? line.problems : problemsOf({ route, price, isTwice, amounts });
    plan.problems.push(...problems.map((problem) => ({ line: line.line, supplier, model, problem })));
    if (problems.length > 0 || route === undefined) continue;
    if (amounts.length === 0 || price === null) plan.unchanged += 1;
    else {
      plan.changes.push({ line: line.line, supplier, model, upstreamModel, amounts, next: route.next });
      plan.writes.push({ route, price });
    }
  }
  return { ...plan, fingerprint: fingerprintOf(plan.writes, from) };
}

const nameOf = (supplier: string, model: string, upstreamModel: string) => `${supplier}\n${model}\n${upstreamModel}`;

type Judged = {
  route: PricedRoute | undefined;
  price: FilePrice | null;
  isTwice: boolean;
  amounts: readonly AmountChange[];
};

function problemsOf({ route, price, isTwice, amounts }: Judged): LineProblem[] {
  if (route === undefined) return [{ code: "unknown" }];
  if (isTwice) return [{ code: "twice" }];
  if (amounts.length === 0) return [];
  if (route.isOfFile) return [{ code: "ofFile" }];
  if (price === null) return [{ code: "empty" }];
  if (route.capability !== "chat") return [];
  // A price that is omitted by mistake would make answers free.
  const needed = ["input_per_mtok", "output_per_mtok"] as const;
  return needed.flatMap((column) => (price[column] === undefined ? [{ code: "missing" as const, column }] : []));
}

/** Returns the parts in which two prices differ. */
export function changesOf(before: FilePrice | null, after: FilePrice | null): AmountChange[] {
  return PRICE_COLUMNS.flatMap((column) => {
    const [from, to] = [textOf(before, column), textOf(after, column)];
    return from === to ? [] : [{ column, from, to, share: shareOf(from, to) }];
  });
}

/** Without a price, these cost nothing; other parts cost the same as the whole that they belong to. */
const FREE: ReadonlySet<string> = new Set([
  "input_per_mtok",
  "output_per_mtok",
  "per_request",
  "per_second",
  "per_mchar",
]);

/** A part of a price in the format of a file; null: not set. */
export function textOf(price: FilePrice | null, column: (typeof PRICE_COLUMNS)[number]): string | null {
  if (price === null) return null;
  if (column === "long_context")
    return price.long_context === undefined ? null : JSON.stringify(longTexts(price.long_context));
  if (column === "tiers") return price.tiers === undefined ? null : JSON.stringify(tierTexts(price.tiers));
  return price[column] === undefined ? (FREE.has(column) ? "0.00" : null) : plainUsd(price[column]);
}

/** Order of the parts in a price for long inputs, or of a tier. */
const PARTS = [
  ...(["input_per_mtok", "output_per_mtok", "cached_input_per_mtok", "cache_write_per_mtok"] as const),
  ...(["cache_write_1h_per_mtok", "audio_input_per_mtok", "audio_output_per_mtok"] as const),
] as const;
type Parts = Partial<Record<(typeof PARTS)[number], bigint>>;

const partTexts = (parts: Parts) =>
  Object.fromEntries(
    PARTS.flatMap((name) => {
      const amount = parts[name];
      return amount === undefined ? [] : [[name, plainUsd(amount)] as const];
    }),
  );

const longTexts = (entries: NonNullable<FilePrice["long_context"]>) =>
  entries.map((entry) => ({ above_input_tokens: entry.above_input_tokens, ...partTexts(entry) }));

const tierTexts = (tiers: NonNullable<FilePrice["tiers"]>) =>
  Object.fromEntries(
    SERVICE_TIERS.flatMap((name) => {
      const tier = tiers[name];
      if (tier === undefined) return [];
      const long = tier.long_context === undefined ? {} : { long_context: longTexts(tier.long_context) };
      return [
        [name, { ...partTexts(tier), ...long, ...(tier.asked_only === true ? { asked_only: true } : {}) }] as const,
      ];
    }),
  );

function shareOf(from: string | null, to: string | null): number | null {
  const [was, is] = [from, to].map((text) => (text === null ? null : parseUsd(text)));
  if (!was || is === null || is === undefined) return null;
  return Number(((is - was) * 1_000_000n) / was) / 1_000_000;
}

const fingerprintOf = (writes: readonly RouteChange[], from: string | null): string =>
  createHash("sha256")
    .update(JSON.stringify([from, writes.map(({ route, price }) => [route.routeId, exact(route.price), exact(price)])]))
    .digest("hex");

const exact = (price: FilePrice | null) =>
  JSON.stringify(price, (_, value) => (typeof value === "bigint" ? formatUsd(value) : value));
