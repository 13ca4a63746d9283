import type { Db } from "~/connection/db.server";
import { type PricePreview, previewPrice, suggestPrice } from "~/domain/catalogue/index.server";
import { priceUsage } from "~/domain/pricing/index.server";
import { readRouteTraffic } from "~/domain/usage/index.server";
import type { FormValues } from "~/ui/forms/portal-form";
import { formatUsd, parseUsd, plainUsd } from "~/values/money";
import { tokenPrices } from "../../models/list-prices.server";
import type { PriceValues } from "../../models/price-form.schema";
import { sentOf, valuesOf, wantedOf } from "../../models/price-values.server";

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Form fields that identify the price. */
const NAMES: ReadonlySet<string> = new Set(["supplier_id", "model", "upstream_model", "base"]);

/** Previews a price; amounts are decimals of US dollars. */
export async function reviewPrice(db: Db, body: PriceValues) {
  const input = wantedOf(body);
  const preview = await previewPrice(db, input);
  return {
    name: `${input.modelId} · ${preview.supplier.name}`,
    isNew: preview.before === null,
    /** The version in the preview, for the next submission. */
    seen: preview.seen === null ? "none" : String(preview.seen),
    from: preview.from?.toISOString() ?? null,
    next: preview.next?.toISOString() ?? null,
    changes: changedFields(preview),
    margin: await marginOf(db, preview, input),
    sent: sentOf(body),
  };
}

export type PriceReview = Awaited<ReturnType<typeof reviewPrice>>;

/** The form fields in which two prices differ; other parts are named by their column in a price file. */
function changedFields({ before, after, amounts }: PricePreview) {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const names = Object.keys({ ...was, ...is }).filter((name) => !NAMES.has(name) && was[name] !== is[name]);
  const changes = names.map((name) => change(name, was[name] ?? null, is[name] ?? null));
  return changes.length > 0
    ? changes
    : amounts.map(({ column, from, to, share }) => ({ name: column, from, to, share }));
}

const fieldsOf = (parts: PricePreview["before"]): FormValues =>
  parts === null
    ? {}
    : valuesOf({
        routeId: 0,
        modelId: "",
        upstreamModel: "",
        supplierId: 0,
        supplier: "",
        price: { version: 0, parts },
      });

function change(name: string, from: string | null, to: string | null) {
  const [was, is] = [from, to].map((text) => (text === null ? null : parseUsd(text)));
  return { name, from, to, share: was && is !== null && is !== undefined ? shareOf(is, was) : null };
}

const shareOf = (is: bigint, was: bigint): number => Number(((is - was) * 1_000_000n) / was) / 1_000_000;

/**
 * The price before and after the change, with the provider's list price and the cost of the last 30 days' tokens at
 * each, without parts that depend on the length of a request. Null: no list price and no traffic.
 */
async function marginOf(
  db: Db,
  { supplier, before, after, isAlone }: PricePreview,
  { modelId, upstreamModel }: { modelId: string; upstreamModel: string },
) {
  const now = new Date();
  const listed = suggestPrice(supplier, upstreamModel, now);
  const [traffic] = isAlone
    ? await readRouteTraffic(db, new Date(now.getTime() - DAYS * DAY_MS), [{ model: modelId, supplier: supplier.name }])
    : [];
  if (listed === null && traffic === undefined) return null;
  const prices = [listed?.price ?? null, before, after].map((price) => (price === null ? null : tokenPrices(price)));
  const [atList = null, atBefore = null, atAfter = null] = prices;
  const line = (name: "input" | "output" | "traffic", amountOf: (price: NonNullable<typeof atList>) => bigint) => {
    const [list, was, is] = [atList, atBefore, atAfter].map((price) => (price === null ? null : amountOf(price)));
    const above = (amount: bigint | null | undefined) =>
      list && amount !== null && amount !== undefined ? shareOf(amount, list) : null;
    const text = (amount: bigint | null | undefined) =>
      amount === null || amount === undefined ? null : name === "traffic" ? formatUsd(amount) : plainUsd(amount);
    return {
      name,
      list: text(list),
      before: text(was),
      beforeShare: above(was),
      after: text(is),
      afterShare: above(is),
    };
  };
  return {
    requests: traffic?.requests ?? 0,
    hasList: listed !== null,
    lines: [
      line("input", ({ inputPerMtok }) => inputPerMtok),
      line("output", ({ outputPerMtok }) => outputPerMtok),
      ...(traffic === undefined
        ? []
        : [line("traffic", (price) => priceUsage(price, { ...traffic, requests: traffic.requests }))]),
    ],
  };
}
