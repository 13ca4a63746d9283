import { useTranslation } from "react-i18next";
import { data } from "react-router";
import { requireActor } from "~/access/actor.server";
import { languageOf } from "~/access/language.server";
import { inWords } from "~/access/portal/in-words.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { offeredProviders } from "~/access/sign-in/provider-settings.server";
import { wantsJson } from "~/access/wants-json";
import { db } from "~/db.server";
import { listOwnSessions, readOwnAccount } from "~/domain/identity/index.server";
import { readBillingDuties } from "~/domain/organisations/index.server";
import { AppError } from "~/errors/app-error";
import { problemWords } from "~/errors/problem-words.server";
import { answerApiErrors } from "~/http/answer-refusals";
import { declared } from "~/http/declaration";
import { type ParsedForm, parseForm } from "~/http/parse-form";
import { requireMethod } from "~/http/require-method";
import type { PageHandle } from "~/ui/page-handle";
import { Columns, PageHeader } from "~/ui/page-parts";
import { themeOf } from "~/ui/theme-cookie.server";
import type { Route } from "./+types/page";
import { Appearance } from "./Appearance";
import { changeSettings } from "./act.server";
import { Accepted, FirstSteps, Linked } from "./Linked";
import { Password } from "./Password";
import { Payer } from "./Payer";
import { Profile } from "./Profile";
import { Sessions } from "./Sessions";
import { SettingsForm } from "./settings-form.schema";

export const handle: PageHandle = { plain: true };

export const loader = pageLoader({ allow: "viewer" }, async ({ actor, request }) => {
  const [account, sessions, duties] = await Promise.all([
    readOwnAccount(db(), actor),
    listOwnSessions(db(), actor),
    readBillingDuties(db(), actor),
  ]);
  return {
    account,
    sessions,
    duties,
    labels: Object.fromEntries(offeredProviders().map(({ provider, label }) => [provider, label])),
    language: actor.language,
    theme: themeOf(request.headers.get("cookie")),
    timeZones: Intl.supportedValuesOf("timeZone"),
  };
});

export const action = declared(
  answerApiErrors(async ({ request, context }: Route.ActionArgs) => {
    requireMethod(request);
    const actor = requireActor(context);
    const form = await parseForm(request, SettingsForm);
    if (!form.ok) return data({ form: inWords(form, { request, context }) }, { status: 422 });
    try {
      return await changeSettings(db(), actor, form.value, { request, context });
    } catch (error) {
      // What names a field stands beside that field, with its own status.
      if (!(error instanceof AppError) || error.param === null) throw error;
      const refused: ParsedForm<never> = {
        ok: false,
        fields: {
          [error.param]: wantsJson(request) ? error.humanMessage : problemWords(error, languageOf(context)),
        },
        sent: { intent: form.value.intent },
      };
      return data({ form: refused, code: error.code }, { status: error.status });
    }
  }),
  { methods: ["POST"], allow: "signed-in", body: { POST: SettingsForm } },
);

export default function Settings({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("settings");
  const form = actionData && "form" in actionData ? actionData.form : null;
  const refused = form !== null && typeof form === "object" && "fields" in form ? form : null;
  const problems = (intent: string): Readonly<Record<string, string>> =>
    refused?.sent.intent === intent ? refused.fields : {};
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <Columns even>
        <div>
          <Payer view={view} />
          <Profile view={view} problems={problems("profile")} sent={refused?.sent.name} />
          <Password hasPassword={view.account.hasPassword} problems={problems("password")} />
          <Linked view={view} />
        </div>
        <div>
          <Appearance view={view} problems={problems("looks")} sent={refused?.sent.time_zone} />
          <Sessions sessions={view.sessions} />
          <Accepted view={view} />
          <FirstSteps />
        </div>
      </Columns>
    </>
  );
}
