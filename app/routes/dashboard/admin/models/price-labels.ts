import { useTranslation } from "react-i18next";
import { SERVICE_TIERS } from "~/domain/catalogue/shared";
import {
  askedField,
  LONG_PARTS,
  LONG_ROWS,
  longField,
  type PriceField,
  type PricePart,
  TIER_PARTS,
  tierField,
  tokensField,
} from "./price-fields";

type Other = "supplier_id" | "model" | "upstream_model" | "capability" | "context_tokens" | "max_output_tokens";
export type PriceName = PriceField | ReturnType<typeof askedField> | Other | "from" | "base";

/** Returns the label of each part of a price. */
export function usePartLabels(): Readonly<Record<PricePart, string>> {
  const { t } = useTranslation("adminModels");
  const { t: tPages } = useTranslation("modelPages");
  return {
    input_per_mtok: tPages("price.inputPerMtok"),
    output_per_mtok: tPages("price.outputPerMtok"),
    cached_input_per_mtok: tPages("price.cachedInputPerMtok"),
    cache_write_per_mtok: tPages("price.cacheWritePerMtok"),
    cache_write_1h_per_mtok: t("price.cacheWriteLong"),
    audio_input_per_mtok: t("price.audioInput"),
    audio_output_per_mtok: t("price.audioOutput"),
    per_tool_use: t("price.perToolUse"),
    per_request: t("price.perRequest"),
    per_second: t("price.perSecond"),
    per_mchar: tPages("price.perMchar"),
  };
}

/** Returns the label of each field of the price form outside its group, in page order. */
export function usePriceLabels(): Readonly<Record<PriceName, string>> {
  const { t } = useTranslation("adminModels");
  const parts = usePartLabels();
  const long = LONG_ROWS.flatMap((row) => [
    [tokensField(row), t("price.above")] as const,
    ...LONG_PARTS.map((part) => [longField(row, part), `${t("price.long")}: ${parts[part]}`] as const),
  ]);
  const tiers = SERVICE_TIERS.flatMap((tier) => [
    ...TIER_PARTS.map((part) => [tierField(tier, part), `${t(`price.tier.${tier}`)}: ${parts[part]}`] as const),
    [askedField(tier), `${t(`price.tier.${tier}`)}: ${t("price.asked")}`] as const,
  ]);
  return {
    supplier_id: t("col.supplier"),
    model: t("col.model"),
    upstream_model: t("price.upstream"),
    ...parts,
    from: t("price.from"),
    capability: t("col.capability"),
    context_tokens: t("col.context"),
    max_output_tokens: t("col.output"),
    ...(Object.fromEntries(long) as Record<Extract<PriceName, `long_${string}`>, string>),
    ...(Object.fromEntries(tiers) as Record<Extract<PriceName, `${"flex" | "priority" | "batch"}_${string}`>, string>),
    base: t("price.from"),
  };
}
