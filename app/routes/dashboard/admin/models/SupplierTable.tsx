import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { AdminSupplier } from "~/domain/catalogue/shared";
import { Count } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge } from "~/ui/page-parts";
import { Hidden } from "../Hidden";
import { ErrorBars } from "./ErrorBars";
import type { ErrorHour } from "./error-hour";
import { SupplierButtons } from "./SupplierActions";
import { SupplierHealthCell } from "./SupplierHealthCell";
import { ADMIN_MODELS, NEW_SUPPLIER, Nothing, SourceBadge } from "./shared";
import type { SupplierHealth } from "./supplier-health";

/** Suppliers with region, models and source. */
export function SupplierTable({
  suppliers,
  health,
  errors,
}: {
  suppliers: readonly AdminSupplier[];
  /** By supplier name, as observed by this process. */
  health: Readonly<Record<string, SupplierHealth>>;
  /** The last hour of all processes, by supplier name. */
  errors: Readonly<Record<string, ErrorHour>>;
}) {
  const { t } = useTranslation("adminModels");
  const columns: Column<AdminSupplier>[] = [
    {
      id: "name",
      header: t("col.supplier"),
      wrap: true,
      cell: ({ name, baseUrl, source }) => (
        <div className="grid max-w-96 leading-snug">
          <span className="flex flex-wrap items-center gap-x-2 font-strong">
            {name} <SourceBadge source={source} />
          </span>
          <span className="text-xs text-ink-3 [overflow-wrap:anywhere]">{baseUrl || t("builtIn")}</span>
        </div>
      ),
    },
    {
      id: "kind",
      header: t("col.kind"),
      cell: ({ kind, region }) => (
        <div className="grid leading-snug">
          {t(`kind.${kind}`)} <span className="text-xs text-ink-3">{region}</span>
        </div>
      ),
    },
    {
      id: "status",
      header: t("col.status"),
      wrap: true,
      cell: ({ name, status }) => (
        <div className="grid justify-items-end gap-1 sm:justify-items-start">
          <Badge kind={status === "active" ? "good" : "held"}>{t(`status.${status as "active"}`)}</Badge>
          <SupplierHealthCell health={health[name]} />
          <ErrorBars hour={errors[name]} />
        </div>
      ),
    },
    {
      id: "models",
      header: t("col.models"),
      align: "end",
      cell: ({ name, models }) => (
        <Link to={`${ADMIN_MODELS}?tab=prices&q=${encodeURIComponent(name)}`} className="hover:text-accent">
          <Count value={models} />
        </Link>
      ),
    },
    {
      id: "credentials",
      header: t("col.credentials"),
      align: "end",
      cell: ({ credentials }) => <Count value={credentials} />,
    },
    {
      id: "extras",
      header: t("extras.column"),
      cell: ({ id, kind, hasExtras }) =>
        kind === "sandbox" ? (
          "–"
        ) : (
          <Link to={`${NEW_SUPPLIER}/${id}/extras`} className="hover:text-accent">
            {t(hasExtras ? "extras.some" : "extras.none")}
          </Link>
        ),
    },
    {
      id: "acts",
      header: <Hidden>{t("col.acts")}</Hidden>,
      align: "end",
      wrap: true,
      cell: (supplier) => <SupplierButtons supplier={supplier} />,
    },
  ];
  return (
    <DataTable
      name="admin-suppliers"
      caption={t("tab.suppliers")}
      columns={columns}
      rows={suppliers}
      rowKey={({ id }) => id}
      empty={<Nothing />}
    />
  );
}
