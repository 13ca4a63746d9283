import { useTranslation } from "react-i18next";
import { pageAction } from "~/access/portal/page-action.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { offeredProviders } from "~/access/sign-in/provider-settings.server";
import { db } from "~/connection/db.server";
import { listOwnSessions, readOwnAccount } from "~/domain/accounts/index.server";
import { readBillingDuties, readConversationSettings } from "~/domain/organisations/index.server";
import { FormProblem } from "~/ui/forms/form-parts";
import { Columns, PageHeader } from "~/ui/page-parts";
import { themeOf } from "~/ui/theme/theme-cookie.server";
import { StoredNote } from "../StoredNote";
import type { Route } from "./+types/page";
import { Appearance } from "./Appearance";
import { changeSettings } from "./change-settings.server";
import { Accepted, FirstSteps, Linked } from "./Linked";
import { Password } from "./Password";
import { Payer } from "./Payer";
import { Profile } from "./Profile";
import { Sessions } from "./Sessions";
import { SettingsForm } from "./settings-form.schema";

export const loader = pageLoader({ allow: "viewer" }, async ({ actor, request }) => {
  const [account, sessions, duties, stored] = await Promise.all([
    readOwnAccount(db(), actor),
    listOwnSessions(db(), actor),
    readBillingDuties(db(), actor),
    readConversationSettings(db(), actor.organisationId),
  ]);
  return {
    account,
    sessions,
    duties,
    storedDays: stored?.days ?? null,
    labels: Object.fromEntries(offeredProviders().map(({ provider, label }) => [provider, label])),
    language: actor.language,
    theme: themeOf(request.headers.get("cookie")),
    timeZones: Intl.supportedValuesOf("timeZone"),
  };
});

export const action = pageAction({ allow: "signed-in", body: SettingsForm }, ({ actor, body, request, context }) =>
  changeSettings(db(), { actor, form: body }, { request, context }),
);

export default function Settings({ loaderData: view, actionData }: Route.ComponentProps) {
  const { t } = useTranslation("settings");
  const refused = actionData?.form ?? null;
  // Errors that no form of the page shows.
  const elsewhere = refused !== null && !["profile", "looks", "password"].includes(refused.sent.intent ?? "");
  return (
    <>
      <PageHeader title={t("title")} sub={t("subtitle")} />
      <StoredNote days={view.storedDays} />
      <FormProblem text={elsewhere ? (refused.problem ?? Object.values(refused.fields)[0]) : null} />
      <Columns even>
        <div>
          <Payer view={view} />
          <Profile view={view} refused={refused} />
          <Password hasPassword={view.account.hasPassword} refused={refused} />
          <Linked view={view} />
        </div>
        <div>
          <Appearance view={view} refused={refused} />
          <Sessions sessions={view.sessions} />
          <Accepted view={view} />
          <FirstSteps />
        </div>
      </Columns>
    </>
  );
}
