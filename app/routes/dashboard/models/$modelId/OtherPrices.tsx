import { useTranslation } from "react-i18next";
import { Money } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Section } from "~/ui/page-parts";
import type { OtherPrice } from "../other-prices";
import type { ModelView } from "../view.server";

type Row = OtherPrice & Pick<ModelView["routes"][number], "supplier" | "region">;

/** Prices for long inputs and other service tiers; renders nothing if there are none. */
export function OtherPrices({ routes }: Pick<ModelView, "routes">) {
  const { t } = useTranslation("modelPages");
  const rows = routes.flatMap(({ supplier, region, others }) =>
    others.map((other) => ({ ...other, supplier, region })),
  );
  if (rows.length === 0) return null;
  const end = "end" as const;
  const columns: Column<Row>[] = [
    { id: "what", header: t("others.what"), cell: (row) => <What of={row} /> },
    {
      id: "supplier",
      header: t("suppliers.supplier"),
      cell: ({ supplier, region }) => `${supplier} · ${region}`,
    },
    {
      id: "input",
      header: t("price.inputPerMtok"),
      align: end,
      cell: ({ inputNanoUsd }) => <Money nano={inputNanoUsd} />,
    },
    {
      id: "cached",
      header: t("price.cachedInputPerMtok"),
      align: end,
      cell: ({ cachedInputNanoUsd }) => <Money nano={cachedInputNanoUsd} />,
    },
    {
      id: "output",
      header: t("price.outputPerMtok"),
      align: end,
      cell: ({ outputNanoUsd }) => <Money nano={outputNanoUsd} />,
    },
  ];
  return (
    <Section title={t("others.title")} aside={t("others.text")} flush>
      <DataTable
        name="model-other-prices"
        caption={t("others.title")}
        columns={columns}
        rows={rows}
        rowKey={({ supplier, tier, above }) => `${supplier} ${tier} ${above}`}
      />
    </Section>
  );
}

function What({ of: { tier, above, askedOnly } }: { of: OtherPrice }) {
  const { t } = useTranslation("modelPages");
  if (tier === null) return t("others.above", { count: above ?? 0 });
  const name = t(`others.tier.${tier}`);
  if (above !== null) return t("others.tierLong", { tier: name, count: above });
  return askedOnly ? t("others.asked", { tier: name }) : name;
}
