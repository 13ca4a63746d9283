import type { RouterContextProvider } from "react-router";
import { requireRecentProof } from "~/access/actor.server";
import { knownDeviceCookie } from "~/access/known-device.server";
import { languageCookie } from "~/access/language.server";
import type { Onward } from "~/access/portal/page-action.server";
import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import {
  type Account,
  changeDisplayName,
  changePassword,
  changePreferences,
  endOwnSession,
  endSessionsOf,
  findAccountById,
  unlinkIdentity,
} from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { emailPasswordChanged } from "~/routes/email-facts.server";
import { themeCookie } from "~/ui/theme/theme-cookie.server";
import { unreachable } from "~/values/unreachable";
import type { SettingsForm } from "./settings-form.schema";

/**
 * Runs the action of the settings form. Programs get the result; browsers are redirected to the page with a message.
 */
export async function changeSettings(
  db: Db,
  { actor, form }: { actor: Actor; form: SettingsForm },
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
): Promise<Onward> {
  const done = (toast: string, answer: Onward["answer"] = {}, lasting: readonly string[] = []): Onward => ({
    to: "/dashboard/settings",
    toast,
    answer,
    lasting,
  });
  switch (form.intent) {
    case "profile":
      await changeDisplayName(db, actor, form.name);
      return done("settings:saved", { name: form.name });
    case "looks": {
      const { language, time_zone: timeZone, theme } = form;
      await changePreferences(db, actor, { language, timeZone });
      const https = config().baseUrl.startsWith("https:");
      return done("settings:saved", { language, time_zone: timeZone, theme }, [
        ...(language === undefined ? [] : [languageCookie(language)]),
        ...(theme === undefined ? [] : [themeCookie(theme, { https })]),
      ]);
    }
    case "password": {
      const passwords = { current: form.current_password, fresh: form.new_password };
      const requireProof = () => requireRecentProof(context);
      const { sessionsEnded, first } = await changePassword(db, actor, passwords, requireProof);
      const account = (await findAccountById(db, actor.userId)) as Account;
      await emailPasswordChanged(db, { request, context }, account, { first });
      const known = knownDeviceCookie(request, account);
      return done("settings:password.changed", { sessions_ended: sessionsEnded }, [known]);
    }
    case "end_others":
      return done("settings:sessions.othersEnded", {
        sessions_ended: await endSessionsOf(db, actor.userId, { sessionId: actor.sessionId }),
      });
    case "end_session":
      if (!(await endOwnSession(db, actor, form.session_id))) throw apiError("not_found");
      return done("settings:sessions.ended");
    case "unlink":
      await unlinkIdentity(db, actor, form.identity_id);
      return done("settings:linked.unlinked");
    default:
      return unreachable(form);
  }
}
