import { useTranslation } from "react-i18next";
import type { DryRun, DryRunRoute } from "~/gateway/dry-run";
import { Duration, Money, Percent } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, Section } from "~/ui/page-parts";
import { isOneOf } from "~/values/one-of";

/**
 * Result of a dry run: routes in order, excluded routes, and the autorouter's choice. `isOperators`: includes details
 * for the operator only.
 */
export function DryRunOutcome({ result, isOperators }: { result: DryRun; isOperators: boolean }) {
  const { t } = useTranslation("dryRun");
  const { routes, excluded, holdNanoUsd, auto, refusal } = result;
  return (
    <>
      {refusal === null ? null : (
        <Section title={t("refused")}>
          <p>
            <Badge kind="bad">{refusal.code}</Badge> {refusal.message}
          </p>
        </Section>
      )}
      {routes.length === 0 ? null : (
        <Section title={t("suppliers")} flush>
          <RouteTable routes={routes} isOperators={isOperators} />
          <div className="grid gap-1 px-4 py-2.5 text-ink-2 text-sm">
            <p>{t("hold", { amount: holdNanoUsd })}</p>
            {auto === null ? null : (
              <p>
                {t("chosen", {
                  model: auto.chosen,
                  other: auto.default.model,
                  amount: BigInt(auto.default.costNanoUsd),
                  algorithm: t(`algorithms.${auto.algorithm}`),
                })}
              </p>
            )}
            {routes.length > 1 ? <p>{t("drawn")}</p> : null}
          </div>
        </Section>
      )}
      {auto === null ? null : (
        <Section title={t("models")} flush>
          <ModelTable models={auto.models} />
        </Section>
      )}
      <Exclusions
        title={t("excluded")}
        name="dry-run-excluded"
        rows={excluded.map(({ supplier, region, upstreamModel, why }) => ({
          what: `${supplier} · ${region}`,
          model: isOperators ? upstreamModel : null,
          why,
        }))}
      />
      {auto === null ? null : (
        <Exclusions
          title={t("left")}
          name="dry-run-left"
          rows={auto.excluded.map(({ model, why }) => ({ what: model, model: null, why }))}
        />
      )}
    </>
  );
}

function RouteTable({ routes, isOperators }: { routes: DryRun["routes"]; isOperators: boolean }) {
  const { t } = useTranslation("dryRun");
  const columns: Column<DryRunRoute>[] = [
    {
      id: "supplier",
      header: t("supplier"),
      cell: ({ supplier, model, upstreamModel }) => (
        <>
          {supplier} <span className="text-ink-3">{isOperators ? upstreamModel : model}</span>
        </>
      ),
    },
    { id: "region", header: t("regionCol"), cell: ({ region }) => region },
    {
      id: "priority",
      header: t("priority"),
      cell: ({ priority, weight }) => `${priority} / ${weight}`,
      optional: true,
    },
    { id: "health", header: t("health"), align: "end", cell: ({ health }) => <Percent share={health} /> },
    {
      id: "ready",
      header: t("ready"),
      cell: ({ readyInMs }) => (readyInMs === 0 ? t("now") : <Duration ms={readyInMs} />),
    },
    {
      id: "expected",
      header: t("expected"),
      align: "end",
      cell: ({ expectedNanoUsd }) => <Money nano={expectedNanoUsd} places={9} />,
    },
    { id: "most", header: t("most"), align: "end", cell: ({ mostNanoUsd }) => <Money nano={mostNanoUsd} places={9} /> },
  ];
  return (
    <DataTable
      name="dry-run-suppliers"
      caption={t("suppliers")}
      rows={routes}
      rowKey={(route) => routes.indexOf(route)}
      columns={isOperators ? columns : columns.filter(({ id }) => id !== "priority")}
    />
  );
}

function ModelTable({ models }: Pick<NonNullable<DryRun["auto"]>, "models">) {
  const { t } = useTranslation("dryRun");
  const columns: Column<(typeof models)[number]>[] = [
    { id: "model", header: t("modelCol"), cell: ({ model }) => model },
    { id: "score", header: t("score"), align: "end", cell: ({ score }) => score },
    { id: "health", header: t("health"), align: "end", cell: ({ health }) => <Percent share={health} /> },
    {
      id: "firstByte",
      header: t("firstByte"),
      align: "end",
      cell: ({ firstByteMs }) => (firstByteMs === null ? "–" : <Duration ms={firstByteMs} />),
      optional: true,
    },
    {
      id: "expected",
      header: t("expected"),
      align: "end",
      cell: ({ estimatedNanoUsd }) => <Money nano={BigInt(estimatedNanoUsd)} places={9} />,
    },
  ];
  return (
    <DataTable
      name="dry-run-models"
      caption={t("models")}
      rows={models}
      rowKey={({ model }) => model}
      columns={columns}
    />
  );
}

type Excluded = { what: string; model: string | null; why: string };

function Exclusions({ title, name, rows }: { title: string; name: string; rows: readonly Excluded[] }) {
  const { t } = useTranslation("dryRun");
  if (rows.length === 0) return null;
  return (
    <Section title={title} flush>
      <DataTable
        name={name}
        caption={title}
        rows={rows}
        rowKey={({ what, model, why }) => `${what} ${model} ${why}`}
        columns={[
          {
            id: "what",
            header: t(name === "dry-run-left" ? "modelCol" : "supplier"),
            cell: ({ what, model }) => (
              <>
                {what} <span className="text-ink-3">{model}</span>
              </>
            ),
          },
          { id: "why", header: t("why"), cell: ({ why }) => (isReason(why) ? t(`because.${why}`) : why) },
        ]}
      />
    </Section>
  );
}

const isReason = isOneOf([
  ...(["model", "draining", "protocol", "region", "price"] as const),
  ...(["no_lane", "not_for_auto", "tools", "images", "context", "output"] as const),
]);
