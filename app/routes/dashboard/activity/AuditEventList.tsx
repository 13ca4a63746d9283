import { useTranslation } from "react-i18next";
import type { AuditEventView } from "~/domain/activity/shared";
import { RelativeTime } from "~/ui/Figures";
import { moneyText } from "~/ui/format";
import { DataTable } from "~/ui/lists/DataTable";
import { EmptyState } from "~/ui/page-parts";
import { EventSentence } from "./EventSentence";
import { useFieldLabels } from "./labels";
import { fieldsOf } from "./sentence";
import type { AuditReader } from "./target-address";

/** Audit events, newest first: a sentence for each event, which opens the recorded fields. */
export function AuditEventList({
  acts: events,
  reader,
  name,
  filtered,
}: {
  acts: readonly AuditEventView[];
  reader: AuditReader;
  name: string;
  filtered?: boolean;
}) {
  const { t } = useTranslation("activity");
  return (
    <DataTable
      name={name}
      caption={t("table")}
      rows={events}
      rowKey={(event) => String(event.id)}
      columns={[
        {
          id: "what",
          header: t("event"),
          wrap: true,
          cell: (event) => (
            <div className="min-w-56 max-w-[80ch]">
              <p>
                <EventSentence event={event} reader={reader} />
              </p>
              <details className="mt-0.5 text-xs">
                <summary className="cursor-pointer py-1 text-ink-3">{t("details")}</summary>
                <Recorded event={event} />
              </details>
            </div>
          ),
        },
        { id: "at", header: t("col.at"), cell: (event) => <RelativeTime at={event.at} /> },
        {
          id: "address",
          header: t("col.address"),
          optional: true,
          cell: (event) => <span className="mono text-ink-3">{event.address || "–"}</span>,
        },
      ]}
      empty={
        <EmptyState title={filtered ? t("nothing") : t("empty")}>
          {filtered ? t("nothingText") : t("emptyText")}
        </EmptyState>
      }
    />
  );
}

/** The recorded row: its code, its target, and each field before and after. */
function Recorded({ event }: { event: AuditEventView }) {
  const { t, i18n } = useTranslation("activity");
  const { language } = i18n;
  const labelOf = useFieldLabels();
  const [before, after] = [fieldsOf(event.before), fieldsOf(event.after)];
  // Fields that are empty on both sides, or unchanged, are omitted.
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => textOf(name, before[name], language) !== textOf(name, after[name], language),
  );
  return (
    <div className="mt-1.5 border-line border-l pl-3">
      <p className="mono text-ink-3 wrap-anywhere">
        {event.action} · {event.targetKind} {event.targetId}
      </p>
      {names.length === 0 ? <p className="text-ink-3">{t("noChange")}</p> : null}
      <ul className="grid gap-0.5">
        {names.map((name) => (
          <li key={name} className="wrap-anywhere">
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
    </div>
  );
}

function textOf(name: string, value: unknown, language: string): string {
  if (value === null || value === undefined || value === "") return EMPTY;
  if (/NanoUsd$/.test(name) && /^-?\d+$/.test(String(value))) return moneyText(BigInt(String(value)), language);
  if (Array.isArray(value)) return value.map((each) => textOf(name, each, language)).join(", ") || EMPTY;
  if (typeof value === "object") return Object.values(value).map(String).join(" ") || EMPTY;
  return String(value);
}

const EMPTY = "–";
