import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { requireRecentProof } from "~/access/actor.server";
import { draftOf, flashCookie } from "~/access/flash.server";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { inTransaction } from "~/bus.server";
import { db } from "~/db.server";
import { createActorKey, keyChoices } from "~/domain/keys/index.server";
import { Button, LinkButton } from "~/ui/Button";
import { FormActions, FormProblem } from "~/ui/form-parts";
import { PageHeader, Section } from "~/ui/page-parts";
import { Consequences } from "../Consequences";
import { modelsAndRegions } from "../catalogue-choices.server";
import { NEW_KEY, readForm } from "../form-values";
import { NewKeyForm } from "../key-form.schema";
import { createKeyInputOf } from "../key-settings.server";
import { AccessFields, AdvancedFields, LimitFields } from "../PolicyFields";
import { tellAdminKey } from "../tell-admin-key.server";
import type { Route } from "./+types/page";
import { IdentityFields } from "./IdentityFields";

export const loader = pageLoader({ allow: "viewer" }, async ({ actor, url, context }) => ({
  ...(await keyChoices(db(), actor)),
  ...modelsAndRegions(),
  draft: draftOf(context, url.pathname),
}));

export const action = pageAction({ allow: "member", body: NewKeyForm }, async ({ actor, body, request, context }) => {
  const isAdminKey = body.kind === "admin";
  if (isAdminKey) requireRecentProof(context);
  const { id, publicId, secret, name, created } = await inTransaction(db(), async (tx) => {
    const key = await createActorKey(tx, actor, createKeyInputOf(body));
    if (isAdminKey) await tellAdminKey(tx, { request, context }, actor, { id: key.id, rotated: false });
    return key;
  });
  return {
    to: `/dashboard/keys/${id}`,
    cookies: [flashCookie("once", { kind: `key:${id}`, secret, label: name })],
    answer: { id, key_id: publicId, key: secret, name, created: created.toISOString() },
  };
});

export default function NewKey({ loaderData: choices, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("keys");
  const refused = actionData?.form ?? null;
  const problems = refused?.fields ?? {};
  const initial = refused?.sent ?? choices.draft ?? NEW_KEY;
  const [values, setValues] = useState(initial);
  const form = useRef<HTMLFormElement>(null);
  // What was typed before the script arrived counts too.
  useEffect(() => {
    if (form.current) setValues(readForm(form.current));
  }, []);
  return (
    <>
      <PageHeader
        title={t("form.newTitle")}
        sub={t("form.newSubtitle")}
        back={{ to: "/dashboard/keys", label: t("title") }}
      />
      <form
        ref={form}
        method="post"
        onInput={({ currentTarget }) => setValues(readForm(currentTarget))}
        className="grid items-start gap-x-3.5 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]"
      >
        <div className="min-w-0">
          {refused ? (
            <div className="mb-3.5">
              <FormProblem text={refused.problem ?? problems.form ?? t("form.problem")} />
            </div>
          ) : null}
          <Section title={t("form.what")}>
            <IdentityFields values={initial} problems={problems} choices={choices} />
          </Section>
          <Section title={t("form.may")}>
            <AccessFields values={initial} problems={problems} choices={choices} />
          </Section>
          <Section title={t("form.limits")}>
            <LimitFields values={initial} problems={problems} />
          </Section>
          <Section title={t("form.more")}>
            <AdvancedFields values={initial} problems={problems} choices={choices} />
          </Section>
        </div>
        <div className="min-w-0 lg:sticky lg:top-4">
          <Section title={t("form.consequences")}>
            <div className="grid gap-4">
              <Consequences values={values} />
              <FormActions>
                <Button kind="primary">{t("form.submit")}</Button>
                <LinkButton to={href("/dashboard/keys")}>{t("form.cancel")}</LinkButton>
              </FormActions>
            </div>
          </Section>
        </div>
      </form>
    </>
  );
}
