import { useTranslation } from "react-i18next";
import type { AdminRoute, ServiceTier } from "~/domain/catalogue/shared";
import { Badge, EmptyState } from "~/ui/page-parts";
import type { ShownPrice } from "../../../_public/catalogue-view/shared";

export const ADMIN_MODELS = "/dashboard/admin/models";
export const NEW_SUPPLIER = "/dashboard/admin/providers";
export const SET_PRICE = "/dashboard/admin/prices";
/** Shows the changes of a price, and asks for confirmation. */
export const REVIEW_PRICE = `${SET_PRICE}/review`;
/** Address of the price form, filled with a supplier's upstream model name. */
export const newPriceAddress = (supplierId: number, model: string): string =>
  `${ADMIN_MODELS}?${new URLSearchParams({ tab: "prices", serve: model.slice(0, 200), by: String(supplierId) })}#price`;
export const TABS = ["suppliers", "models", "prices", "list"] as const;

/** `parts`: kinds of further prices without a column. */
export type PriceLine = Omit<AdminRoute, "price"> & { price: ShownPrice | null; parts: readonly PricedPart[] };
export type PricedPart = "audio" | "tools" | "long" | ServiceTier;

/** Source of a row: the configuration, which only its file changes, or platform admins. */
export function SourceBadge({ source }: { source: "config" | "portal" }) {
  const { t } = useTranslation("adminModels");
  return (
    <Badge kind={source === "portal" ? "info" : "plain"}>
      <span title={t(`sourceText.${source}`)}>{t(`source.${source}`)}</span>
    </Badge>
  );
}

export function Nothing() {
  const { t } = useTranslation("adminModels");
  return <EmptyState title={t("nothing")}>{t("nothingText")}</EmptyState>;
}
