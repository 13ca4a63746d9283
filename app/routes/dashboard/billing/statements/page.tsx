import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { listStatements } from "~/domain/statements/index.server";
import { LinkButton } from "~/ui/Button";
import { DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { EmptyState, PageHeader, Section } from "~/ui/page-parts";
import type { Route } from "./+types/page";
import { useMonthText } from "./month-text";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader({ allow: "viewer" }, ({ actor }) => listStatements(db(), actor));

export default function Statements({ loaderData: { payer, timeZone, months } }: Route.ComponentProps) {
  const { t } = useTranslation("statements");
  const monthText = useMonthText();
  return (
    <>
      <PageHeader
        back={{ to: "/dashboard/billing", label: t("billing") }}
        title={t("title")}
        sub={t("subtitle", { payer, timeZone })}
      />
      <Section flush>
        <DataTable
          name="statements"
          caption={t("title")}
          rows={months}
          rowKey={(month) => month}
          columns={[
            {
              id: "month",
              header: t("month"),
              cell: (month) => (
                <Link
                  to={href("/dashboard/billing/statements/:month", { month })}
                  className="font-strong hover:text-accent"
                >
                  {monthText(month)}
                </Link>
              ),
            },
            {
              id: "file",
              header: t("file"),
              align: "end",
              cell: (month) => (
                <LinkButton small to={href("/dashboard/billing/statements/:month/export", { month })} document>
                  CSV
                </LinkButton>
              ),
            },
          ]}
          empty={<EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>}
        />
      </Section>
    </>
  );
}
