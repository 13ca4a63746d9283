import { useTranslation } from "react-i18next";
import type { ModelMerits } from "~/domain/routing/shared";
import { ALGORITHM_WEIGHTS, AUTOROUTER_ALGORITHMS } from "~/domain/routing/shared";
import { Duration, Money, Percent } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { EmptyState, Section } from "~/ui/page-parts";
import { useAlgorithmName } from "./use-algorithm-name";

/** The algorithms with their weights, and their inputs for each model. */
export function AlgorithmTables({ merits }: { merits: ModelMerits[] }) {
  const { t } = useTranslation("autorouter");
  const nameOf = useAlgorithmName();
  const align = "end" as const;
  return (
    <>
      <Section title={t("algorithms.title")} flush id="algorithms">
        <DataTable
          name="autorouter-algorithms"
          caption={t("algorithms.title")}
          rows={AUTOROUTER_ALGORITHMS}
          rowKey={(algorithm) => algorithm}
          columns={[
            {
              id: "name",
              header: t("col.algorithm"),
              cell: (algorithm) => <span className="font-strong">{nameOf(algorithm)}</span>,
            },
            {
              id: "text",
              header: t("algorithms.how"),
              cell: (algorithm) => t(`algorithms.${algorithm}`),
            },
            ...(["cost", "speed", "quality"] as const).map(
              (merit): Column<(typeof AUTOROUTER_ALGORITHMS)[number]> => ({
                id: merit,
                header: t(`merit.${merit}`),
                align,
                cell: (algorithm) => <Percent share={ALGORITHM_WEIGHTS[algorithm][merit]} />,
              }),
            ),
          ]}
        />
      </Section>
      <Section title={t("merits.title")} flush={merits.length > 0} id="models">
        <DataTable
          name="autorouter-models"
          caption={t("merits.title")}
          rows={merits}
          rowKey={({ model }) => model}
          columns={[
            {
              id: "model",
              header: t("merits.model"),
              cell: ({ model }) => <span className="font-strong">{model}</span>,
            },
            { id: "input", header: t("merits.input"), align, cell: (row) => <Money nano={row.inputPerMtok} /> },
            {
              id: "output",
              header: t("merits.output"),
              align,
              cell: (row) => <Money nano={row.outputPerMtok} />,
            },
            {
              id: "firstByte",
              header: t("merits.firstByte"),
              align,
              cell: ({ firstByteMs }) => (firstByteMs === null ? "–" : <Duration ms={firstByteMs} />),
            },
            {
              id: "quality",
              header: t("merit.quality"),
              align,
              cell: ({ quality, isQualityStated }) => (isQualityStated ? quality : t("merits.byPrice", { quality })),
            },
            {
              id: "health",
              header: t("merits.health"),
              align,
              cell: ({ health }) => <Percent share={health} />,
            },
          ]}
          empty={<EmptyState title={t("merits.none")} />}
        />
      </Section>
    </>
  );
}
