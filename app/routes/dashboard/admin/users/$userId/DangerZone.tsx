import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RefusedForm } from "~/access/flash.server";
import type { Consequences, PersonDetail } from "~/domain/people/index.server";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { moneyText } from "~/ui/format";
import { FormProblem } from "~/ui/forms/form-parts";
import { Section } from "~/ui/page-parts";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { RevokeAdminKeysField } from "./RevokeAdminKeysField";

type View = PersonDetail & { refused: RefusedForm | null };

/** Suspends, archives or deletes a person. Each action first lists its consequences. */
export function DangerZone({ view }: { view: View }) {
  const { t } = useTranslation("admin");
  const { person, allowed, consequences, refused } = view;
  if (!allowed.includes("status") && !allowed.includes("hard-delete")) return null;
  const path = `/dashboard/admin/users/${person.id}`;
  const concerns = refused?.action === `${path}/status` || refused?.action === `${path}/hard-delete`;
  return (
    <Section title={t("person.status.title")}>
      <div className="grid gap-4">
        <FormProblem text={concerns ? refused?.message : null} />
        {allowed.includes("status") ? (
          <>
            {person.status === "active" ? null : (
              <form method="post" action={`${path}/status`} className="grid gap-2">
                <input type="hidden" name="status" value="active" />
                <p className="text-ink-2">{t("person.status.activateText")}</p>
                <Button kind="primary" className="w-fit">
                  {t("person.status.activate")}
                </Button>
              </form>
            )}
            {person.status === "suspended" ? null : (
              <Ending view={view} kind="suspend" status="suspended">
                <ConsequenceList of={consequences} />
              </Ending>
            )}
            {person.status === "archived" ? null : (
              <Ending view={view} kind="archive" status="archived">
                <ConsequenceList of={consequences} leaves />
              </Ending>
            )}
          </>
        ) : null}
        {allowed.includes("hard-delete") ? (
          <div className="grid gap-2 border-line border-t pt-4">
            <p className="text-ink-2">{t("person.delete.text")}</p>
            <div>
              <DialogButton dialog="delete-person" kind="danger">
                {t("person.delete.button")}
              </DialogButton>
            </div>
            <ConfirmDialog
              id="delete-person"
              title={t("person.delete.title")}
              action={`${path}/hard-delete`}
              typed={person.email}
              confirm={t("person.delete.button")}
              consequences={<ConsequenceList of={consequences} leaves deletes />}
            >
              <RevokeAdminKeysField of={consequences.leftBehind} form="delete" />
            </ConfirmDialog>
          </div>
        ) : null}
      </div>
    </Section>
  );
}

function Ending({
  view,
  kind,
  status,
  children,
}: {
  view: View;
  kind: "suspend" | "archive";
  status: string;
  children: ReactNode;
}) {
  const { t } = useTranslation("admin");
  const { person } = view;
  return (
    <div className="grid gap-2">
      <p className="text-ink-2">{t(`person.status.${kind}Text`)}</p>
      <div>
        <DialogButton dialog={kind}>{t(`person.status.${kind}`)}</DialogButton>
      </div>
      <ConfirmDialog
        id={kind}
        title={`${t(`person.status.${kind}`)}: ${person.name || person.email}`}
        action={`/dashboard/admin/users/${person.id}/status`}
        values={{ status }}
        confirm={t(`person.status.${kind}`)}
        consequences={children}
      >
        <RevokeAdminKeysField of={view.consequences.leftBehind} form={kind} />
      </ConfirmDialog>
    </div>
  );
}

/**
 * Consequences of an action, one per line. `leaves`: includes projects and payments for others. `deletes`: the wallet's
 * money moves to the organisation.
 */
function ConsequenceList({ of: ends, leaves, deletes }: { of: Consequences; leaves?: boolean; deletes?: boolean }) {
  const { t } = useTranslation("admin");
  const { language } = useDocumentFacts();
  const { walletNanoUsd: wallet, heldNanoUsd: held } = ends;
  const lines: string[] = [];
  if (ends.activeKeys > 0) lines.push(t("person.consequences.keys", { count: ends.activeKeys }));
  if (ends.sessions > 0) lines.push(t("person.consequences.sessions", { count: ends.sessions }));
  if (leaves && ends.projects > 0) lines.push(t("person.consequences.projects", { count: ends.projects }));
  const { openInvites, keysForOthers } = ends.leftBehind;
  if (openInvites > 0) lines.push(t("person.consequences.invites", { count: openInvites }));
  if (keysForOthers > 0) lines.push(t("person.consequences.keysForOthers", { count: keysForOthers }));
  if (wallet !== null && wallet !== 0n) {
    const amount = moneyText(wallet, language);
    lines.push(t(deletes ? "person.consequences.walletMoves" : "person.consequences.wallet", { amount }));
  }
  if (held > 0n) lines.push(t("person.consequences.held", { amount: moneyText(held, language) }));
  if (leaves && ends.paysFor > 0) lines.push(t("person.consequences.paysFor", { count: ends.paysFor }));
  // The checkbox below covers admin keys.
  if (lines.length === 0 && ends.leftBehind.adminKeys.count > 0) return null;
  return (
    <div>
      <p className="font-strong text-ink">{t("person.consequences.title")}</p>
      {lines.length === 0 ? (
        <p className="mt-1">{t("person.consequences.nothing")}</p>
      ) : (
        <ul className="mt-1 list-disc pl-5">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
