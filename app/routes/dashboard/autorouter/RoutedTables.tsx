import { useTranslation } from "react-i18next";
import { href, Link, useSearchParams } from "react-router";
import type { RoutedRequest } from "~/domain/request-log/shared";
import type { RoutedSum } from "~/domain/usage/shared";
import { Count, DateTime, Money } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { addressWith } from "~/ui/lists/list-address";
import { Pager } from "~/ui/lists/list-parts";
import { EmptyState, Section } from "~/ui/page-parts";
import { useAlgorithmName } from "./use-algorithm-name";
import type { AutorouterView } from "./view.server";

/** The autorouter's choices, in total and by request. */
export function RoutedTables({ view: { report, requests, next } }: { view: AutorouterView }) {
  const { t } = useTranslation("autorouter");
  const [query] = useSearchParams();
  const choice = useChoice();
  const figures = useMoneyColumns();
  const empty = <EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>;
  const count: Column<RoutedSum> = {
    id: "requests",
    header: t("col.requests"),
    align: "end",
    cell: (row) => <Count value={row.requests} />,
  };
  const { chargedNanoUsd, defaultNanoUsd } = report;
  return (
    <>
      <Section title={t("chosen.title")} flush={report.sums.length > 0} id="chosen">
        <DataTable
          name="autorouter-chosen"
          caption={t("chosen.title")}
          rows={report.sums}
          rowKey={({ model, algorithm, defaultModel }) => `${model} ${algorithm} ${defaultModel}`}
          columns={[...choice, count, ...figures]}
          foot={{
            model: t("col.total"),
            requests: <Count value={report.requests} />,
            charged: <Money nano={chargedNanoUsd} />,
            default: <Money nano={defaultNanoUsd} />,
            saved: <Money nano={defaultNanoUsd - chargedNanoUsd} />,
          }}
          empty={empty}
        />
      </Section>
      <Section title={t("requests.title")} flush={requests.length > 0} id="requests">
        <DataTable
          name="autorouter-requests"
          caption={t("requests.title")}
          rows={requests}
          rowKey={({ id }) => String(id)}
          columns={[useWhen(), ...choice, ...figures]}
          empty={empty}
        />
        <Pager older={next === null ? null : addressWith(query, { before: next })} />
      </Section>
    </>
  );
}

function useWhen(): Column<RoutedRequest> {
  const { t } = useTranslation("autorouter");
  return {
    id: "when",
    header: t("col.when"),
    cell: ({ requestId, startedAt }) => (
      <Link
        to={href("/dashboard/request-log/:requestId", { requestId })}
        className="hover:text-accent"
        title={t("requests.why")}
      >
        <DateTime at={startedAt} />
      </Link>
    ),
  };
}

function useChoice(): Column<Pick<RoutedSum, "model" | "algorithm" | "defaultModel">>[] {
  const { t } = useTranslation("autorouter");
  const nameOf = useAlgorithmName();
  return [
    {
      id: "model",
      header: t("col.model"),
      cell: ({ model }) => <span className="font-strong">{model}</span>,
    },
    { id: "algorithm", header: t("col.algorithm"), cell: ({ algorithm }) => nameOf(algorithm) },
    {
      id: "instead",
      header: t("col.instead"),
      optional: true,
      cell: ({ defaultModel }) => <span className="text-ink-2">{defaultModel}</span>,
    },
  ];
}

function useMoneyColumns(): Column<Pick<RoutedSum, "chargedNanoUsd" | "defaultNanoUsd">>[] {
  const { t } = useTranslation("autorouter");
  const align = "end" as const;
  return [
    { id: "charged", header: t("col.charged"), align, cell: (row) => <Money nano={row.chargedNanoUsd} /> },
    { id: "default", header: t("col.default"), align, cell: (row) => <Money nano={row.defaultNanoUsd} /> },
    {
      id: "saved",
      header: t("col.saved"),
      align,
      cell: (row) => <Money nano={row.defaultNanoUsd - row.chargedNanoUsd} />,
    },
  ];
}
