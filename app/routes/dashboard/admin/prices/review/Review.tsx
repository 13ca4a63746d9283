import { useTranslation } from "react-i18next";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { decimalUsdText, percentText } from "~/ui/format";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { usePriceLabels } from "../../models/price-labels";
import { SET_PRICE } from "../../models/shared";
import { Amount } from "../Amount";
import type { PriceReview } from "./review.server";

/** The changes of a price, field by field and beside the list price; the button applies exactly these. */
export function Review({ of: review }: { of: PriceReview }) {
  const { t } = useTranslation("adminModels");
  if (review.changes.length === 0)
    return (
      <p role="status" className="mb-4 max-w-prose text-ink-2">
        {t("review.nothing")}
      </p>
    );
  return (
    <>
      <Changes of={review} />
      {review.margin === null ? (
        <p className="mb-4 text-ink-3">{t("review.noList")}</p>
      ) : (
        <Margin margin={review.margin} />
      )}
      <form method="post" action={SET_PRICE} className="mb-6 flex flex-wrap items-center gap-3">
        {Object.entries(review.sent).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="seen" value={review.seen} />
        <Button kind="primary">{t("price.save")}</Button>
        <span className="text-ink-3">
          {review.from === null ? (
            t("priceFile.now")
          ) : (
            <>
              {t("price.from")} <DateTime at={review.from} />
            </>
          )}
        </span>
      </form>
    </>
  );
}

function Changes({ of: { changes, next } }: { of: PriceReview }) {
  const { t } = useTranslation("adminModels");
  const labels: Readonly<Record<string, string>> = usePriceLabels();
  const columns: Column<PriceReview["changes"][number]>[] = [
    { id: "part", header: t("review.part"), wrap: true, cell: ({ name }) => labels[name] ?? name },
    {
      id: "change",
      header: t("priceFile.change"),
      wrap: true,
      cell: (change) => (
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Amount of={change} isAmount={!/_(above|asked_only)$/.test(change.name)} />
        </span>
      ),
    },
  ];
  return (
    <Section
      flush
      title={t("review.changes")}
      aside={
        next === null ? (
          t("price.text")
        ) : (
          <Badge kind="held">
            {t("priceFile.next")} <DateTime at={next} />
          </Badge>
        )
      }
    >
      <DataTable
        name="price-review"
        caption={t("review.changes")}
        columns={columns}
        rows={changes}
        rowKey={({ name }) => name}
      />
    </Section>
  );
}

type MarginFacts = NonNullable<PriceReview["margin"]>;

function Margin({ margin }: { margin: MarginFacts }) {
  const { t } = useTranslation("adminModels");
  const { t: tPages } = useTranslation("modelPages");
  const { language } = useDocumentFacts();
  const names = {
    input: tPages("price.inputPerMtok"),
    output: tPages("price.outputPerMtok"),
    traffic: t("review.traffic", { count: margin.requests }),
  };
  const amount = (text: string | null, share: number | null) =>
    text === null ? (
      "–"
    ) : (
      <>
        {decimalUsdText(text, language)}{" "}
        {share === null ? null : (
          <span className="text-ink-3">{`${share > 0 ? "+" : ""}${percentText(share, language)}`}</span>
        )}
      </>
    );
  const end = "end" as const;
  const columns: Column<MarginFacts["lines"][number]>[] = [
    { id: "name", header: t("review.part"), wrap: true, cell: ({ name }) => names[name] },
    { id: "list", header: t("review.list"), align: end, cell: ({ list }) => amount(list, null) },
    {
      id: "before",
      header: t("review.before"),
      align: end,
      cell: ({ before, beforeShare }) => amount(before, beforeShare),
    },
    {
      id: "after",
      header: t("review.after"),
      align: end,
      cell: ({ after, afterShare }) => amount(after, afterShare),
    },
  ];
  return (
    <Section flush title={t("review.margin")} aside={margin.hasList ? t("review.marginText") : t("review.noList")}>
      <DataTable
        name="price-margin"
        caption={t("review.margin")}
        columns={columns}
        rows={margin.lines}
        rowKey={({ name }) => name}
      />
    </Section>
  );
}
