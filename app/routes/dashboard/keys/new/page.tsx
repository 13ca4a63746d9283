import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { data } from "react-router";
import { requireActor } from "~/access/actor.server";
import { draftOf, flashCookie, redirectWith } from "~/access/flash.server";
import { proveFirst } from "~/access/prove-first.server";
import { wantsJson } from "~/access/wants-json";
import { inTransaction } from "~/bus.server";
import { db } from "~/db.server";
import { createActorKey, keyChoices } from "~/domain/keys/index.server";
import { answerRefusals } from "~/http/answer-refusals";
import { declared } from "~/http/declaration";
import { parseForm } from "~/http/parse-form";
import { requireMethod } from "~/http/require-method";
import { Button, LinkButton } from "~/ui/Button";
import { FormActions, FormProblem } from "~/ui/form-parts";
import { PageHeader, Section } from "~/ui/page-parts";
import { pageLoader, problemsAsJson } from "../../admin/page-loader.server";
import { Consequences } from "../Consequences";
import { modelsAndRegions } from "../catalogue-choices.server";
import { NEW_KEY, readForm } from "../form-values";
import { NewKeyForm } from "../key-form.schema";
import { wishOf } from "../key-settings.server";
import { MayCall, MaySpend, MoreFields } from "../PolicyFields";
import { tellAdminKey } from "../tell-admin-key.server";
import type { Route } from "./+types/page";
import { WhatItIs } from "./WhatItIs";

export const meta: Route.MetaFunction = () => [{ title: "Create a key · gw" }];

export const middleware: Route.MiddlewareFunction[] = [problemsAsJson];

export const loader = pageLoader({ allow: "viewer" }, async ({ actor, url, context }) => ({
  ...(await keyChoices(db(), actor)),
  ...modelsAndRegions(),
  draft: draftOf(context, url.pathname),
}));

export const action = declared(
  answerRefusals(async ({ request, context }: Route.ActionArgs) => {
    requireMethod(request);
    const actor = requireActor(context);
    const form = await parseForm(request, NewKeyForm);
    if (!form.ok) return data({ form }, { status: 422 });
    const here = { request, context };
    const isAdminKey = form.value.kind === "admin";
    if (isAdminKey) proveFirst(here, { page: "/dashboard/keys/new", sent: form.sent });
    const { id, publicId, secret, name, created } = await inTransaction(db(), async (tx) => {
      const key = await createActorKey(tx, actor, wishOf(form.value));
      if (isAdminKey) await tellAdminKey(tx, here, actor, { id: key.id, rotated: false });
      return key;
    });
    if (wantsJson(request)) return data({ id, key_id: publicId, key: secret, name, created: created.toISOString() });
    return redirectWith(`/dashboard/keys/${id}`, [flashCookie("once", { kind: `key:${id}`, secret, label: name })]);
  }),
  { methods: ["POST"], allow: "member", body: { POST: NewKeyForm } },
);

export default function NewKey({ loaderData: choices, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("keys");
  const refused = actionData && "form" in actionData ? actionData.form : null;
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
              <FormProblem text={problems.form ?? t("form.problem")} />
            </div>
          ) : null}
          <Section title={t("form.what")}>
            <WhatItIs values={initial} problems={problems} choices={choices} />
          </Section>
          <Section title={t("form.may")}>
            <MayCall values={initial} problems={problems} choices={choices} />
          </Section>
          <Section title={t("form.limits")}>
            <MaySpend values={initial} problems={problems} />
          </Section>
          <Section title={t("form.more")}>
            <MoreFields values={initial} problems={problems} choices={choices} />
          </Section>
        </div>
        <div className="min-w-0 lg:sticky lg:top-4">
          <Section title={t("form.consequences")}>
            <div className="grid gap-4">
              <Consequences values={values} />
              <FormActions>
                <Button kind="primary">{t("form.submit")}</Button>
                <LinkButton to="/dashboard/keys">{t("form.cancel")}</LinkButton>
              </FormActions>
            </div>
          </Section>
        </div>
      </form>
    </>
  );
}
