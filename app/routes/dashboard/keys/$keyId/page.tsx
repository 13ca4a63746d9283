import { useTranslation } from "react-i18next";
import { data } from "react-router";
import { requireActor } from "~/access/actor.server";
import { shownOnceOf } from "~/access/flash.server";
import { inWords } from "~/access/portal/in-words.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/db.server";
import { answerApiErrors } from "~/http/answer-refusals";
import { declared } from "~/http/declaration";
import { parseForm } from "~/http/parse-form";
import { requireMethod } from "~/http/require-method";
import { LinkButton } from "~/ui/Button";
import { DialogButton } from "~/ui/Dialog";
import { useDocumentFacts } from "~/ui/document-context";
import { DateTime, RelativeTime } from "~/ui/Figures";
import { FormProblem } from "~/ui/form-parts";
import { momentText } from "~/ui/format";
import { Columns, PageHeader, Section } from "~/ui/page-parts";
import { Snippets } from "~/ui/Snippets";
import { KeyStatusBadge } from "../KeyStatusBadge";
import { KeyActionForm } from "../key-form.schema";
import { SecretHint } from "../SecretHint";
import { ShownSecret } from "../ShownSecret";
import type { Route } from "./+types/page";
import { BudgetPanel } from "./BudgetPanel";
import { EndPanel } from "./EndPanel";
import { HistoryPanel } from "./HistoryPanel";
import { HoldsPanel } from "./HoldsPanel";
import { InheritedLimitsPanel } from "./InheritedLimitsPanel";
import { handleKeyAction } from "./key-action.server";
import { KeyPath, keyOfPath } from "./key-path";
import { LimiterPanel } from "./LimiterPanel";
import { PolicyPanel } from "./PolicyPanel";
import { RejectionsPanel } from "./RejectionsPanel";
import { RotateDialog } from "./RotateDialog";
import { SpendPanel } from "./SpendPanel";
import { type KeyPageView, readKeyPage } from "./view.server";

export const loader = pageLoader(
  { allow: "viewer", params: KeyPath },
  async ({ actor, params: { keyId }, context }) => {
    const view = await readKeyPage(db(), actor, keyId);
    const once = shownOnceOf(context);
    return { secret: once?.kind === `key:${keyId}` ? once.secret : null, ...view };
  },
);

export const action = declared(
  answerApiErrors(async ({ request, params, context }: Route.ActionArgs) => {
    requireMethod(request);
    const actor = requireActor(context);
    const { keyId } = keyOfPath(params);
    const form = await parseForm(request, KeyActionForm);
    if (!form.ok) return data({ form: inWords(form, { request, context }) }, { status: 422 });
    return handleKeyAction(db(), actor, keyId, form.value, { request, context });
  }),
  { methods: ["POST"], allow: "member", params: KeyPath, body: { POST: KeyActionForm } },
);

export default function KeyPage({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("keys");
  const { key, secret, samples } = view;
  const refused = actionData && "form" in actionData ? actionData.form : null;
  const editable = key.rights.change && key.status !== "revoked";
  return (
    <>
      <PageHeader
        title={key.name}
        sub={<Facts view={view} />}
        tags={<KeyStatusBadge of={key} />}
        back={{ to: "/dashboard/keys", label: t("title") }}
        actions={
          editable ? (
            <>
              <DialogButton dialog="rotate">{t("detail.rotate")}</DialogButton>
              <LinkButton to="#policy">{t("detail.edit")}</LinkButton>
            </>
          ) : null
        }
      />
      {refused ? (
        <div className="mb-3.5">
          <FormProblem
            text={refused.fields.form ?? refused.fields.confirm ?? refused.fields.overlap_hours ?? t("form.problem")}
          />
        </div>
      ) : null}
      {secret === null ? null : <ShownSecret secret={secret} name={key.name} samples={samples} />}
      <Columns>
        <BudgetPanel view={view} />
        <LimiterPanel view={view} />
      </Columns>
      <SpendPanel view={view} />
      <Columns>
        <RejectionsPanel view={view} />
        <InheritedLimitsPanel view={view} />
      </Columns>
      <Section title={t("snippets.title")} aside={t("snippets.text")}>
        <Snippets
          name="use"
          samples={samples.map(({ kind, text }) => ({ id: kind, label: t(`snippets.${kind}`), code: text }))}
        />
      </Section>
      <PolicyPanel view={view} refused={refused} />
      <Columns>
        <HistoryPanel view={view} />
        <div>
          <HoldsPanel view={view} />
          <EndPanel view={view} />
        </div>
      </Columns>
      {editable ? <RotateDialog /> : null}
    </>
  );
}

function Facts({ view: { key, lastUsedAt } }: { view: KeyPageView }) {
  const { t } = useTranslation("keys");
  const { language } = useDocumentFacts();
  const place = [key.owner?.name ?? t("list.nobody"), key.project?.name, key.department?.name].filter(Boolean);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <SecretHint of={key} />
      <Dot />
      <span>{place.join(" · ")}</span>
      <Dot />
      <span>
        {key.createdBy === null ? t("detail.byOperator") : t("detail.by", { name: key.createdBy })}{" "}
        <DateTime at={key.createdAt} dateOnly />
      </span>
      <Dot />
      <span>
        {lastUsedAt === null ? (
          t("detail.neverUsed")
        ) : (
          <>
            {t("detail.lastUsed")} <RelativeTime at={lastUsedAt} />
          </>
        )}
      </span>
      {key.previousValidUntil === null ? null : (
        <span className="basis-full text-held-ink">
          {t("detail.oldSecret", { when: momentText(new Date(key.previousValidUntil), language) })}
        </span>
      )}
    </span>
  );
}

const Dot = () => (
  <span aria-hidden="true" className="text-ink-3">
    ·
  </span>
);
