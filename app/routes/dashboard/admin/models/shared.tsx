import { useTranslation } from "react-i18next";
import type { AdminRoute, ServiceTier } from "~/domain/catalogue/shared";
import { Badge, EmptyState } from "~/ui/page-parts";
import type { ShownPrice } from "../../../_public/catalogue-view/shared";

export const ADMIN_MODELS = "/dashboard/admin/models";
export const NEW_SUPPLIER = "/dashboard/admin/providers";
export const SET_PRICE = "/dashboard/admin/prices";
/** Shows what a price would change, and asks whether to set it. */
export const REVIEW_PRICE = `${SET_PRICE}/review`;
/** The form of a price, filled with a model as its supplier calls it. */
export const newPriceAddress = (supplierId: number, model: string): string =>
  `${ADMIN_MODELS}?${new URLSearchParams({ tab: "prices", serve: model.slice(0, 200), by: String(supplierId) })}#price`;
export const TABS = ["suppliers", "models", "prices", "list"] as const;

/** `parts`: what else the price has that no column shows. */
export type PriceLine = Omit<AdminRoute, "price"> & { price: ShownPrice | null; parts: readonly PricedPart[] };
export type PricedPart = "audio" | "tools" | "long" | ServiceTier;

/** Who says what a row is: the configuration, which only its file changes, or platform admins. */
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
