import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { DateTime, RelativeTime } from "~/ui/Figures";
import { DataTable } from "~/ui/lists/DataTable";
import { Section } from "~/ui/page-parts";
import type { SettingsView } from "./view";

/** Identity providers' accounts that can sign this person in. */
export function Linked({ view: { account, labels } }: { view: SettingsView }) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("linked.title")}>
      {account.identities.length === 0 ? <p className="text-ink-2">{t("linked.none")}</p> : null}
      <ul className="grid gap-3">
        {account.identities.map(({ id, provider, email, lastUsedAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <div className="min-w-0">
              <p>
                <b className="font-strong">{labels[provider] ?? provider}</b>{" "}
                <span className="text-ink-2">{email}</span>
              </p>
              <p className="text-xs text-ink-3">
                {t("linked.usedAt", { when: "" }).trim()} <RelativeTime at={lastUsedAt} />
              </p>
            </div>
            <DialogButton dialog={`unlink-${id}`} small>
              {t("linked.unlink")}
            </DialogButton>
            <ConfirmDialog
              id={`unlink-${id}`}
              title={t("linked.unlink")}
              action={href("/dashboard/settings")}
              values={{ intent: "unlink", identity_id: id }}
              confirm={t("linked.unlink")}
              consequences={t("linked.unlinkConfirm", { provider: labels[provider] ?? provider })}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Accepted versions of the legal documents, with dates. */
export function Accepted({ view: { account } }: { view: SettingsView }) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("legal.title")} flush={account.acceptances.length > 0}>
      <DataTable
        name="acceptances"
        caption={t("legal.title")}
        rows={account.acceptances}
        rowKey={({ document, version }) => `${document}-${version}`}
        empty={<p className="text-ink-2">{t("legal.none")}</p>}
        columns={[
          {
            id: "document",
            header: t("legal.document"),
            cell: ({ document }) => (
              <a href={`/legal/${document}`} className="hover:text-accent">
                {document}
              </a>
            ),
          },
          { id: "version", header: t("legal.version"), cell: ({ version }) => version },
          { id: "when", header: t("legal.when"), cell: ({ acceptedAt }) => <DateTime at={acceptedAt} dateOnly /> },
        ]}
      />
    </Section>
  );
}

/** Shows the first steps again. */
export function FirstSteps() {
  const { t } = useTranslation(["settings", "getStarted"]);
  return (
    <Section title={t("start.title")}>
      <form
        method="post"
        action={href("/dashboard/get-started/resume")}
        className="flex flex-wrap items-center justify-between gap-3"
      >
        <p className="text-ink-2">{t("start.text")}</p>
        <Button>{t("getStarted:resume")}</Button>
      </form>
    </Section>
  );
}
