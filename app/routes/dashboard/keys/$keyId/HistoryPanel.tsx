import { useTranslation } from "react-i18next";
import { RelativeTime } from "~/ui/Figures";
import { Section } from "~/ui/page-parts";
import type { KeyPageView } from "./view.server";

const KNOWN = ["create", "update", "suspend", "resume", "rotate", "revoke"] as const;

/** Audit events of this key by people and admin keys, newest first; each line opens the values before and after. */
export function HistoryPanel({ view: { auditEvents: events } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  return (
    <Section title={t("trail.title")}>
      {events.length === 0 ? <p className="text-ink-2">{t("trail.none")}</p> : null}
      <ol className="grid gap-2.5">
        {events.map(({ id, at, author, action, fields }) => {
          const known = KNOWN.find((name) => action === `key.${name}`);
          const names = fields.map(({ name }) => name).join(", ");
          const line = (
            <>
              <b className="font-strong">{author}</b>{" "}
              {known === undefined ? action : t(`trail.acts.${known}`, { fields: names })}
            </>
          );
          return (
            <li key={id} className="grid grid-cols-[1fr_auto] items-baseline gap-x-4">
              {known === "update" ? (
                <details className="min-w-0">
                  <summary className="cursor-pointer wrap-anywhere">{line}</summary>
                  <dl className="mt-1.5 grid gap-1 border-line border-l pl-3 text-xs">
                    {fields.map(({ name, before, after }) => (
                      <div key={name} className="wrap-anywhere">
                        <dt className="mono inline text-ink-3">{name}</dt>{" "}
                        <dd className="inline">
                          <del className="text-ink-3">{before}</del> → {after}
                        </dd>
                      </div>
                    ))}
                  </dl>
                </details>
              ) : (
                <p className="min-w-0 wrap-anywhere">{line}</p>
              )}
              <span className="text-xs text-ink-3">
                <RelativeTime at={at} />
              </span>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
