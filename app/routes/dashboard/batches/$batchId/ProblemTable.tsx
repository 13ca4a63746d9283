import { useTranslation } from "react-i18next";
import type { BatchError } from "~/domain/batches/shared";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import { Section } from "~/ui/page-parts";

/**
 * Errors in a batch's file, or the reason why it stopped; renders nothing without errors. The texts are those for the
 * client.
 */
export function ProblemTable({ errors }: { errors: readonly BatchError[] | null }) {
  const { t } = useTranslation("batches");
  if (errors === null || errors.length === 0) return null;
  const columns: Column<BatchError>[] = [
    {
      id: "line",
      header: t("problems.where"),
      cell: ({ line }) => (line === null ? t("problems.all") : t("problems.line", { line })),
    },
    {
      id: "code",
      header: t("problems.code"),
      cell: ({ code }) => (
        <a href={`/api-docs/errors#${code}`} className="mono hover:text-accent">
          {code}
        </a>
      ),
    },
    {
      id: "message",
      header: t("problems.message"),
      wrap: true,
      cell: ({ message }) => (
        <span lang="en" className="wrap-anywhere">
          {message}
        </span>
      ),
    },
  ];
  return (
    <Section title={t("problems.title")} flush>
      <DataTable
        name="batch-problems"
        caption={t("problems.title")}
        rows={errors}
        rowKey={(error) => errors.indexOf(error)}
        columns={columns}
      />
    </Section>
  );
}
