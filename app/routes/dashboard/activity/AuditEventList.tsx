import { useTranslation } from "react-i18next";
import type { AuditEventView } from "~/domain/activity/shared";
import { DataTable } from "~/ui/DataTable";
import { RelativeTime } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { EmptyState } from "~/ui/page-parts";

/** What happened, newest first, with before and after behind each line. */
export function AuditEventList({
  acts: events,
  name,
  filtered,
}: {
  acts: readonly AuditEventView[];
  name: string;
  filtered?: boolean;
}) {
  const { t } = useTranslation("activity");
  const words = useActionLabels();
  return (
    <DataTable
      name={name}
      caption={t("table")}
      rows={events}
      rowKey={(event) => String(event.id)}
      columns={[
        { id: "at", header: t("col.at"), cell: (event) => <RelativeTime at={event.at} /> },
        {
          id: "who",
          header: t("col.who"),
          cell: (event) => <span className="max-w-60 truncate">{event.actorLabel || t("nobody")}</span>,
        },
        { id: "what", header: t("col.what"), cell: (event) => words(event.action) },
        {
          id: "target",
          header: t("col.target"),
          optional: true,
          cell: (event) => event.targetLabel || `${event.targetKind} ${event.targetId}`,
        },
        {
          id: "address",
          header: t("col.address"),
          optional: true,
          cell: (event) => <span className="mono text-ink-3">{event.address || "–"}</span>,
        },
        { id: "change", header: t("col.change"), wrap: true, cell: (event) => <Change act={event} /> },
      ]}
      empty={
        <EmptyState title={filtered ? t("nothing") : t("empty")}>
          {filtered ? t("nothingText") : t("emptyText")}
        </EmptyState>
      }
    />
  );
}

/** The name of an act in the reader's language; one without a name keeps its code. */
export function useActionLabels(): (action: string) => string {
  const { t } = useTranslation("activity");
  const translate = t as unknown as (key: string, options: { defaultValue: string }) => string;
  return (action) => translate(`acts.${action}`, { defaultValue: action });
}

function Change({ act: event }: { act: AuditEventView }) {
  const { t, i18n } = useTranslation("activity");
  const { language } = i18n;
  const labelOf = useFieldLabels();
  const [before, after] = [fieldsOf(event.before), fieldsOf(event.after)];
  // What is empty on both sides, or the same, says nothing.
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => textOf(name, before[name], language) !== textOf(name, after[name], language),
  );
  if (names.length === 0) return <span className="text-ink-3">{t("noChange")}</span>;
  return (
    <ul className="grid gap-0.5">
      {names.map((name) => (
        <li key={name}>
          <span className="text-ink-3">{labelOf(name)}</span>{" "}
          {name in before ? (
            <del title={t("before")} className="text-ink-3">
              {textOf(name, before[name], language)}
            </del>
          ) : null}
          {name in before && name in after ? <span className="text-ink-3"> → </span> : null}
          {name in after ? (
            <ins title={t("after")} className="no-underline">
              {textOf(name, after[name], language)}
            </ins>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** The name of a field in the reader's language; one without a name is spelled as it is stored, without its unit. */
function useFieldLabels(): (name: string) => string {
  const { t } = useTranslation("activity");
  const translate = t as unknown as (key: string, options: { defaultValue: string }) => string;
  return (name) => {
    const stored = name.replace(/NanoUsd$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return translate(`fields.${stored}`, { defaultValue: stored.replaceAll("_", " ") });
  };
}

function textOf(name: string, value: unknown, language: string): string {
  if (value === null || value === undefined || value === "") return EMPTY;
  if (/NanoUsd$/.test(name) && /^-?\d+$/.test(String(value))) return moneyText(BigInt(String(value)), language);
  if (Array.isArray(value)) return value.map((each) => textOf(name, each, language)).join(", ") || EMPTY;
  if (typeof value === "object") return Object.values(value).map(String).join(" ") || EMPTY;
  return String(value);
}

const EMPTY = "–";
