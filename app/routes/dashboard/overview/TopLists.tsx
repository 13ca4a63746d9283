import { useTranslation } from "react-i18next";
import { href, Link } from "react-router";
import { Count, Money, Percent, Tokens } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import { Section } from "~/ui/page-parts";
import type { OverviewView } from "./view.server";

const TOP = 6;

/** The models with the highest cost in the window. */
export function TopModels({ view: { models, usage, range, tz } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  const logOf = (model: string, outcome?: string) =>
    `/dashboard/request-log?${new URLSearchParams({ model, ...(outcome && { outcome }), range, tz })}`;
  const share = (nano: bigint) => (usage.totalNanoUsd === 0n ? 0 : Number(nano) / Number(usage.totalNanoUsd));
  return (
    <Section title={t("models.title")} flush={models.length > 0}>
      <DataTable
        name="overview-models"
        caption={t("models.title")}
        rows={models.slice(0, TOP)}
        rowKey={({ model }) => model}
        empty={<p className="text-ink-2">{t("chart.empty")}</p>}
        columns={[
          {
            id: "model",
            header: t("models.model"),
            cell: ({ model }) => (
              <Link to={logOf(model)} className="block max-w-56 truncate font-strong hover:text-accent" title={model}>
                {model}
              </Link>
            ),
          },
          { id: "requests", header: t("models.requests"), align: "end", cell: (row) => <Count value={row.requests} /> },
          { id: "tokens", header: t("models.tokens"), align: "end", cell: (row) => <Tokens count={row.tokens} /> },
          {
            id: "errors",
            header: t("models.errors"),
            align: "end",
            cell: ({ model, requests, errors }) =>
              errors === 0 ? (
                <Percent share={0} />
              ) : (
                <Link to={logOf(model, "error")} className="hover:text-accent">
                  <Percent share={errors / requests} />
                </Link>
              ),
          },
          { id: "spend", header: t("models.spend"), align: "end", cell: (row) => <Money nano={row.spendNanoUsd} /> },
          {
            id: "share",
            header: t("models.share"),
            align: "end",
            cell: (row) => <Percent share={share(row.spendNanoUsd)} />,
          },
        ]}
      />
    </Section>
  );
}

/** The keys with the highest spending in the window. */
export function TopKeys({ view: { keys, range, tz } }: { view: OverviewView }) {
  const { t } = useTranslation("dashboard");
  const logOf = (keyId: number) => `/dashboard/request-log?key=${keyId}&range=${range}&tz=${tz}`;
  return (
    <Section
      title={t("keys.title")}
      aside={
        <Link to={href("/dashboard/keys")} className="hover:text-ink">
          {t("budgets.all")}
        </Link>
      }
      flush={keys.length > 0}
    >
      <DataTable
        name="overview-keys"
        caption={t("keys.title")}
        rows={keys}
        rowKey={({ keyId }) => keyId}
        empty={<p className="text-ink-2">{t("chart.empty")}</p>}
        columns={[
          {
            id: "key",
            header: t("keys.key"),
            cell: ({ keyId, name }) =>
              name === null ? (
                <span className="text-ink-3">{t("keys.gone")}</span>
              ) : (
                <Link to={`/dashboard/keys/${keyId}`} className="block max-w-56 truncate font-strong hover:text-accent">
                  {name}
                </Link>
              ),
          },
          {
            id: "requests",
            header: t("keys.requests"),
            align: "end",
            cell: (row) => (
              <Link to={logOf(row.keyId)} className="hover:text-accent">
                <Count value={row.requests} />
              </Link>
            ),
          },
          {
            id: "spend",
            header: t("keys.spend"),
            align: "end",
            cell: (row) => (
              <Link to={logOf(row.keyId)} className="hover:text-accent">
                <Money nano={row.spendNanoUsd} />
              </Link>
            ),
          },
        ]}
      />
    </Section>
  );
}
