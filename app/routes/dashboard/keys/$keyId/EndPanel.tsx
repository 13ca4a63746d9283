import { useTranslation } from "react-i18next";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { Section } from "~/ui/page-parts";
import type { KeyPageView } from "./view.server";

/** Suspends, resumes or revokes a key. To revoke it, the user types its name, below the consequences. */
export function EndPanel({ view }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { key } = view;
  if (!key.rights.change) return null;
  if (key.status === "revoked") {
    return (
      <Section title={t("stop.title")} id="end">
        <p className="text-ink-2">{t("stop.isRevoked")}</p>
      </Section>
    );
  }
  const isSuspended = key.status === "suspended";
  const event = isSuspended ? "resume" : "suspend";
  return (
    <Section title={t("stop.title")} id="end">
      <div className="grid gap-4">
        <form method="post" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <input type="hidden" name="intent" value={event} />
          <p className="min-w-0 max-w-form text-ink-2">{t(isSuspended ? "stop.resumeText" : "stop.suspendText")}</p>
          <Button>{t(`stop.${event}`)}</Button>
        </form>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line border-t pt-4">
          <p className="min-w-0 max-w-form text-ink-2">{t("stop.revokeText")}</p>
          <DialogButton dialog="revoke" kind="danger">
            {t("stop.revoke")}
          </DialogButton>
        </div>
      </div>
      <ConfirmDialog
        id="revoke"
        title={t("stop.revokeTitle", { name: key.name })}
        action={`/dashboard/keys/${key.id}`}
        values={{ intent: "revoke" }}
        typed={key.name}
        confirm={t("stop.revoke")}
        consequences={<WhatEnds view={view} />}
      />
    </Section>
  );
}

function WhatEnds({ view: { requestsToday, holds } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  return (
    <ul className="grid list-disc gap-1 pl-5">
      <li>
        {requestsToday === 0
          ? t("stop.consequences.unused")
          : t("stop.consequences.requests", { count: requestsToday })}
      </li>
      {holds.count > 0 ? <li>{t("stop.consequences.holds", { count: holds.count })}</li> : null}
      <li>{t("stop.consequences.forever")}</li>
    </ul>
  );
}
