import { useTranslation } from "react-i18next";
import type { RequestDetail } from "~/domain/request-log/shared";
import type { RoutingRecord } from "~/domain/routing/shared";
import { Percent } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import { Badge, Section } from "~/ui/page-parts";
import { isOneOf } from "~/values/one-of";

type Candidate = {
  supplier: string;
  region: string;
  model: string;
  health: number | null;
  outcome: string | null;
  excluded: string | null;
};

/** Candidate suppliers in order, and the reason for the choice. */
export function Routing({ routing, request }: { routing: RoutingRecord | null; request: RequestDetail }) {
  const { t } = useTranslation("requestLog");
  if (routing === null) {
    return (
      <Section title={t("route.title")}>
        <p className="text-ink-2">
          {request.supplier === ""
            ? t("route.none")
            : t("route.only", { supplier: request.supplier, region: request.region })}
        </p>
      </Section>
    );
  }
  const rows: Candidate[] = [
    ...routing.lanes.map(({ supplier, region, model, health, outcome }) => ({
      supplier,
      region,
      model,
      health,
      outcome: outcome ?? null,
      excluded: null,
    })),
    ...(routing.excluded ?? []).map(({ supplier, region, upstreamModel, why }) => ({
      supplier,
      region,
      model: upstreamModel,
      health: null,
      outcome: null,
      excluded: why,
    })),
  ];
  return (
    <Section title={t("route.title")} flush>
      <DataTable
        name="request-routing"
        caption={t("route.title")}
        rows={rows}
        rowKey={({ supplier, region, model, excluded }) => `${supplier} ${region} ${model} ${excluded}`}
        columns={[
          {
            id: "candidate",
            header: t("route.candidate"),
            cell: ({ supplier, model }) => (
              <>
                {supplier} <span className="text-ink-3">{model}</span>
              </>
            ),
          },
          { id: "region", header: t("route.region"), cell: ({ region }) => region },
          {
            id: "health",
            header: t("route.health"),
            align: "end",
            cell: ({ health }) => (health === null ? "–" : <Percent share={health} />),
          },
          { id: "outcome", header: t("route.outcome"), cell: (row) => <CandidateOutcome row={row} /> },
        ]}
      />
      {routing.session ? (
        <p className="px-4 py-2.5 text-ink-2 text-sm">{t(`route.session.${routing.session.pin}`)}</p>
      ) : null}
      {routing.auto ? (
        <p className="px-4 py-2.5 text-ink-2 text-sm">
          {t("route.auto", {
            model: routing.auto.chosen,
            algorithm: routing.auto.algorithm,
            other: routing.auto.default.model,
            amount: BigInt(routing.auto.default.costNanoUsd),
          })}
        </p>
      ) : null}
    </Section>
  );
}

function CandidateOutcome({ row: { outcome, excluded } }: { row: Candidate }) {
  const { t } = useTranslation("requestLog");
  if (excluded !== null)
    return <span className="text-ink-3">{isWhy(excluded) ? t(`route.why.${excluded}`) : excluded}</span>;
  if (outcome === null) return <span className="text-ink-3">{t("route.notTried")}</span>;
  return (
    <Badge kind={outcome === "delivered" ? "good" : "held"}>
      {isResult(outcome) ? t(`route.result.${outcome}`) : outcome}
    </Badge>
  );
}

const WHYS = ["model", "draining", "protocol", "region", "price"] as const;
const isWhy = isOneOf(WHYS);
const RESULTS = ["delivered", "not_executed", "failed_billed", "unknown"] as const;
const isResult = isOneOf(RESULTS);
