import type { PriceChange, RoutePrice, TierChange } from "~/domain/catalogue/index.server";
import { SERVICE_TIERS } from "~/domain/catalogue/shared";
import type { FormValues } from "~/ui/forms/portal-form";
import { plainUsd } from "~/values/money";
import {
  askedField,
  LONG_PARTS,
  LONG_ROWS,
  longField,
  PRICE_PARTS,
  TIER_PARTS,
  tierField,
  tokensField,
} from "./price-fields";
import type { PriceValues } from "./price-form.schema";

/** Returns the change that a form requests. Missing fields, and without a `base` empty ones, request no change. */
export function changeOf(form: PriceValues): PriceChange {
  const said = (amount: bigint | null | undefined) => (amount === null && form.base === null ? undefined : amount);
  const parts = Object.fromEntries(PRICE_PARTS.map((part) => [part, said(form[part])]));
  const tiers = Object.fromEntries(SERVICE_TIERS.map((tier) => [tier, tierChangeOf(form, tier, said)]));
  return { ...parts, long_context: longChangeOf(form), tiers };
}

type Said = (amount: bigint | null | undefined) => bigint | null | undefined;

function tierChangeOf(
  form: PriceValues,
  tier: (typeof SERVICE_TIERS)[number],
  said: Said,
): TierChange | null | undefined {
  const parts = TIER_PARTS.map((part) => [part, said(form[tierField(tier, part)])] as const);
  if (parts.every(([, amount]) => amount === undefined)) return undefined;
  if (parts.every(([, amount]) => amount === undefined || amount === null)) return null;
  const onRequest = form[askedField(tier)];
  return {
    ...Object.fromEntries(parts),
    asked_only: onRequest === undefined ? undefined : onRequest === "yes" || null,
  };
}

function longChangeOf(form: PriceValues): PriceChange["long_context"] {
  const rows = LONG_ROWS.flatMap((row) => {
    const above = form[tokensField(row)];
    if (above === undefined || above === null) return [];
    const parts = LONG_PARTS.map((part) => [part, form[longField(row, part)]] as const);
    const amounts = Object.fromEntries(parts.filter(([, amount]) => amount !== undefined && amount !== null));
    return [{ above_input_tokens: above, ...amounts }];
  });
  const isSaid = form.base !== null && LONG_ROWS.some((row) => form[tokensField(row)] !== undefined);
  if (rows.length === 0) return isSaid ? null : undefined;
  return rows.toSorted((a, b) => a.above_input_tokens - b.above_input_tokens) as PriceChange["long_context"];
}

/** Returns the price that a form requests. */
export const wantedOf = (body: PriceValues) => ({
  supplierId: body.supplier_id,
  modelId: body.model,
  upstreamModel: body.upstream_model ?? body.model,
  model: {
    capability: body.capability,
    contextTokens: body.context_tokens,
    maxOutputTokens: Math.min(body.max_output_tokens, body.context_tokens),
    ownedBy: "portal",
  },
  change: changeOf(body),
  base: body.base,
  from: body.from === null ? null : new Date(body.from),
  ...(body.seen === undefined ? {} : { seen: body.seen }),
});

/** Returns the fields of a submitted form, to submit them again. */
export const sentOf = (body: PriceValues): FormValues =>
  Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (value === undefined || name === "seen") return [];
      return [[name, typeof value === "bigint" ? plainUsd(value) : String(value ?? "")]];
    }),
  );

/** Returns the form values of an existing price: every part in its field. */
export function valuesOf({ supplierId, modelId, upstreamModel, price }: Omit<RoutePrice, "profile">): FormValues {
  const { long_context: long = [], tiers = {}, ...parts } = price?.parts ?? {};
  const texts = (amounts: object, names: readonly string[], nameOf: (part: string) => string) =>
    names.flatMap((part): [string, string][] => {
      const amount = (amounts as Readonly<Record<string, bigint | undefined>>)[part];
      return amount === undefined ? [] : [[nameOf(part), plainUsd(amount)]];
    });
  return Object.fromEntries([
    ...[
      ["supplier_id", String(supplierId)],
      ["model", modelId],
      ["upstream_model", upstreamModel],
    ],
    ["base", price === null ? "" : String(price.version)],
    ...texts(parts, PRICE_PARTS, (part) => part),
    ...(hasRoom(long.length) ? long : []).flatMap((entry, at) => {
      const row = LONG_ROWS[at]!;
      return [
        [tokensField(row), String(entry.above_input_tokens)],
        ...texts(entry, LONG_PARTS, (part) => longField(row, part as "input_per_mtok")),
      ];
    }),
    ...SERVICE_TIERS.flatMap((tier) => {
      const own = tiers[tier];
      if (own === undefined) return [];
      return [
        [askedField(tier), own.asked_only === true ? "yes" : "no"],
        ...texts(own, TIER_PARTS, (part) => tierField(tier, part as "input_per_mtok")),
      ];
    }),
  ]);
}

/** Prices for more lengths than the form has rows are changed by a file, and the form leaves them unchanged. */
export const hasRoom = (lengths: number): boolean => lengths <= LONG_ROWS.length;
