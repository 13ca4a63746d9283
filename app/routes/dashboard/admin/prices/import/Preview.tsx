import { useTranslation } from "react-i18next";
import type { LineProblem, PricePlan } from "~/domain/catalogue/shared";
import { Button } from "~/ui/Button";
import { DateTime } from "~/ui/Figures";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Badge, Section } from "~/ui/page-parts";
import { Amount } from "../Amount";

type File = { text: string; from: string | null };

/** The changes of a price file, part by part; the button applies exactly these. */
export function Preview({ plan, file }: { plan: PricePlan; file: File }) {
  const { t } = useTranslation("adminModels");
  const { changes, problems, unchanged } = plan;
  return (
    <>
      <p role="status" className="mb-4 max-w-prose text-ink-2">
        {[
          t("priceFile.changes", { count: changes.length }),
          t("priceFile.unchanged", { count: unchanged }),
          t("priceFile.problems", { count: problems.length }),
        ].join(" · ")}
      </p>
      {problems.length > 0 ? <Problems problems={problems} /> : null}
      {changes.length > 0 ? <Changes changes={changes} /> : null}
      {problems.length === 0 && changes.length > 0 ? (
        <form method="post" encType="multipart/form-data" className="mb-4 flex flex-wrap items-center gap-3">
          <textarea hidden readOnly name="text" value={file.text} />
          <input type="hidden" name="from" value={file.from ?? ""} />
          <input type="hidden" name="fingerprint" value={plan.fingerprint} />
          <Button kind="primary" name="act" value="apply">
            {t("priceFile.apply", { count: changes.length })}
          </Button>
          <span className="text-ink-3">
            {file.from === null ? (
              t("priceFile.now")
            ) : (
              <>
                {t("price.from")} <DateTime at={file.from} />
              </>
            )}
          </span>
        </form>
      ) : null}
    </>
  );
}

function Problems({ problems }: Pick<PricePlan, "problems">) {
  const { t } = useTranslation("adminModels");
  const columns: Column<PricePlan["problems"][number]>[] = [
    { id: "line", header: t("priceFile.line"), cell: ({ line }) => line },
    {
      id: "model",
      header: t("col.model"),
      wrap: true,
      cell: ({ model, supplier }) => [model, supplier].filter(Boolean).join(" · ") || "–",
    },
    {
      id: "problem",
      header: t("priceFile.problem"),
      wrap: true,
      cell: ({ problem }) => <span className="text-bad">{priceProblemText(t, problem)}</span>,
    },
  ];
  return (
    <Section flush title={t("priceFile.problemsTitle")} aside={t("priceFile.problemsText")}>
      <DataTable
        name="price-file-problems"
        caption={t("priceFile.problemsTitle")}
        columns={columns}
        rows={problems}
        rowKey={({ line, problem }) => `${line} ${JSON.stringify(problem)}`}
      />
    </Section>
  );
}

type Words = ReturnType<typeof useTranslation<"adminModels">>["t"];
const priceProblemText = (t: Words, problem: LineProblem): string =>
  "column" in problem
    ? t(`priceFile.wrong.${problem.code}`, { column: problem.column })
    : t(`priceFile.wrong.${problem.code}`);

function Changes({ changes }: Pick<PricePlan, "changes">) {
  const { t } = useTranslation("adminModels");
  const columns: Column<PricePlan["changes"][number]>[] = [
    {
      id: "model",
      header: t("col.model"),
      wrap: true,
      cell: ({ model, upstreamModel }) => (
        <div className="grid max-w-72 leading-snug [overflow-wrap:anywhere]">
          <span className="font-strong">{model}</span>
          {upstreamModel === model ? null : <span className="text-xs text-ink-3">{upstreamModel}</span>}
        </div>
      ),
    },
    { id: "supplier", header: t("col.supplier"), cell: ({ supplier }) => supplier },
    {
      id: "change",
      header: t("priceFile.change"),
      wrap: true,
      cell: ({ amounts, next }) => (
        <ul className="grid gap-0.5">
          {amounts.map((amount) => (
            <li key={amount.column} className="flex flex-wrap items-baseline gap-x-2">
              <span className="mono text-xs text-ink-3">{amount.column}</span>
              <Amount of={amount} />
            </li>
          ))}
          {next === null ? null : (
            <li>
              <Badge kind="held">
                {t("priceFile.next")} <DateTime at={next} />
              </Badge>
            </li>
          )}
        </ul>
      ),
    },
  ];
  return (
    <Section flush title={t("priceFile.changesTitle")} aside={t("price.text")}>
      <DataTable
        name="price-file-changes"
        caption={t("priceFile.changesTitle")}
        columns={columns}
        rows={changes}
        rowKey={({ line }) => line}
      />
    </Section>
  );
}
