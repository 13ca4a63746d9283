import { useTranslation } from "react-i18next";
import { unstoredSecretOf } from "~/access/flash.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import { DialogButton } from "~/ui/Dialog";
import { DateTime, RelativeTime } from "~/ui/Figures";
import { momentText } from "~/ui/format";
import { FormProblem } from "~/ui/forms/form-parts";
import type { PageHandle } from "~/ui/page-handle";
import { Columns, FactLine, Live, PageHeader, Section } from "~/ui/page-parts";
import { Snippets } from "~/ui/Snippets";
import { useDocumentFacts } from "~/ui/shell/document-context";
import { KeyStatusBadge } from "../KeyStatusBadge";
import { KeyActionForm } from "../key-form.schema";
import { SecretHint } from "../SecretHint";
import { ShownSecret } from "../ShownSecret";
import type { Route } from "./+types/page";
import { BudgetPanel } from "./BudgetPanel";
import { EditSheet } from "./EditSheet";
import { EndPanel } from "./EndPanel";
import { HistoryPanel } from "./HistoryPanel";
import { HoldsPanel } from "./HoldsPanel";
import { InheritedLimitsPanel } from "./InheritedLimitsPanel";
import { handleKeyAction } from "./key-action.server";
import { KeyPath } from "./key-path";
import { LimiterPanel } from "./LimiterPanel";
import { PolicyPanel } from "./PolicyPanel";
import { RejectionsPanel } from "./RejectionsPanel";
import { RotateDialog, RotateForm, useRotation } from "./RotateDialog";
import { SpendPanel } from "./SpendPanel";
import { type KeyPageView, readKeyPage } from "./view.server";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader(
  { allow: "viewer", params: KeyPath },
  async ({ actor, params: { keyId }, context }) => {
    const view = await readKeyPage(db(), actor, keyId);
    const unstoredSecret = unstoredSecretOf(context, actor);
    return { secret: unstoredSecret?.kind === `key:${keyId}` ? unstoredSecret.secret : null, ...view };
  },
);

export const action = pageAction(
  { allow: "member", params: KeyPath, body: KeyActionForm },
  ({ actor, params: { keyId: id }, body: form, request, context }) =>
    handleKeyAction(db(), { actor, id, form }, { request, context }),
);

export default function KeyPage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("keys");
  const { key, secret, samples } = view;
  const refused = actionData?.form ?? null;
  const rotation = useRotation(refused);
  // Errors that no form of the page shows.
  const elsewhere = refused !== null && refused.sent.intent !== "update" && refused.sent.intent !== "rotate";
  const editable = key.rights.change && key.status !== "revoked";
  return (
    <>
      <PageHeader
        title={key.name}
        sub={<Facts view={view} />}
        tags={<KeyStatusBadge of={key} outOfMoney={view.outOfMoney} />}
        back={{ to: "/dashboard/keys", label: t("title") }}
        actions={
          editable ? (
            <>
              <DialogButton dialog="rotate">{t("detail.rotate")}</DialogButton>
              <DialogButton dialog="edit">{t("detail.edit")}</DialogButton>
            </>
          ) : null
        }
      />
      <FormProblem text={elsewhere ? (refused.problem ?? Object.values(refused.fields)[0]) : null} />
      {editable && rotation.isOpen ? (
        <Section title={t("rotate.title")}>
          <RotateForm form={rotation.form} />
        </Section>
      ) : null}
      {editable ? <EditSheet view={view} refused={refused} /> : null}
      {secret === null ? null : <ShownSecret secret={secret} name={key.name} samples={samples} />}
      <Columns>
        <Live name="budget">
          <BudgetPanel view={view} />
        </Live>
        <LimiterPanel view={view} />
      </Columns>
      <Columns>
        <Live name="refusals">
          <RejectionsPanel view={view} />
        </Live>
        <PolicyPanel view={view} />
      </Columns>
      <Section title={t("snippets.title")} aside={t("snippets.text")}>
        <Snippets
          name="use"
          samples={samples.map(({ kind, text }) => ({ id: kind, label: t(`snippets.${kind}`), code: text }))}
        />
      </Section>
      <Live name="spend">
        <SpendPanel view={view} />
      </Live>
      <Columns even>
        <InheritedLimitsPanel view={view} />
        <Live name="holds">
          <HoldsPanel view={view} />
        </Live>
      </Columns>
      <Columns even>
        <HistoryPanel view={view} />
        <EndPanel view={view} />
      </Columns>
      {editable && !rotation.isOpen ? <RotateDialog form={rotation.form} /> : null}
    </>
  );
}

function Facts({ view: { key, lastUsedAt } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const facts = [key.owner?.name ?? t("list.nobody"), key.project?.name, key.department?.name].filter(Boolean);
  return (
    <span data-live="facts" className="block">
      <FactLine>
        <SecretHint of={key} />
        {facts.join(" · ")}
        <span>
          {key.createdBy === null ? t("detail.byOperator") : t("detail.by", { name: key.createdBy })}{" "}
          <DateTime at={key.createdAt} dateOnly />
        </span>
        {lastUsedAt === null ? (
          t("detail.neverUsed")
        ) : (
          <>
            {t("detail.lastUsed")} <RelativeTime at={lastUsedAt} />
          </>
        )}
      </FactLine>
      {key.previousValidUntil === null ? null : (
        <span className="block text-held-ink">
          {t("detail.oldSecret", { when: momentText(new Date(key.previousValidUntil), language) })}
        </span>
      )}
    </span>
  );
}
