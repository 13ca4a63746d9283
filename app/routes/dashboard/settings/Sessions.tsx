import { useTranslation } from "react-i18next";
import type { SessionView } from "~/domain/accounts/shared";
import { Button } from "~/ui/Button";
import { RelativeTime } from "~/ui/Figures";
import { Badge, Section } from "~/ui/page-parts";
import { browserOf } from "../../browser-of";

/** The person's sessions, each with a button to sign it out. */
export function Sessions({ sessions }: { sessions: readonly SessionView[] }) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("sessions.title")}>
      <ul className="grid divide-y divide-line">
        {sessions.map(({ id, userAgent, address, lastSeenAt, current }) => {
          const { browser, system } = browserOf(userAgent);
          return (
            <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 first:pt-0">
              <div className="min-w-0">
                <p title={userAgent}>
                  {browser && system ? t("sessions.on", { browser, system }) : t("sessions.unknown")}{" "}
                  {current ? <Badge kind="good">{t("sessions.current")}</Badge> : null}
                </p>
                <p className="text-xs text-ink-3">
                  {address} {t("sessions.seen", { when: "" }).trim()} <RelativeTime at={lastSeenAt} />
                </p>
              </div>
              {current ? null : (
                <form method="post">
                  <input type="hidden" name="intent" value="end_session" />
                  <input type="hidden" name="session_id" value={id} />
                  <Button small>{t("sessions.end")}</Button>
                </form>
              )}
            </li>
          );
        })}
      </ul>
      {sessions.length > 1 ? (
        <form method="post" className="pt-3">
          <input type="hidden" name="intent" value="end_others" />
          <Button>{t("sessions.endOthers")}</Button>
        </form>
      ) : null}
    </Section>
  );
}
