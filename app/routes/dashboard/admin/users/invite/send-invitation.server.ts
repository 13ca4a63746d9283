import type { RouterContextProvider } from "react-router";
import type { z } from "zod";
import { flashCookie } from "~/access/flash.server";
import type { Onward } from "~/access/portal/page-action.server";
import { inTransaction } from "~/connection/bus.server";
import { type Db, db } from "~/connection/db.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { createInvite, mailSenderOf } from "~/domain/organisations/index.server";
import { INVITE_DAYS } from "~/domain/organisations/shared";
import { isLanguage } from "~/i18n/languages";
import { i18nFor } from "~/i18n/server.server";
import { sendInvite } from "~/mail/emails.server";
import { runsInstallation, tellOwners } from "../tell-role.server";
import type { InviteForm } from "./invite-form.schema";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/**
 * Invites a person, and reports how the link reaches them. Without a mail server the email is a file, and the link is
 * shown once, to platform admins only: others could confirm addresses that are not theirs.
 */
export async function sendInvitation(actor: Actor, form: z.output<typeof InviteForm>, here: Here): Promise<Onward> {
  const { email } = form;
  const { url, invite } = await inviteByMail(actor, form, { ...here, db: db() });
  const { id, delivery } = invite;
  const shown = delivery === "operator" && atLeast(actor.role, "platform_admin");
  const text = delivery === "mail" ? "admin:done.invited" : shown ? "admin:done.inviteLink" : "admin:done.inviteWaits";
  return {
    to: "/dashboard/admin/users/invite",
    toast: { kind: "good", text, values: { email } },
    cookies: shown ? [flashCookie("once", { kind: "invite", secret: url, label: email })] : [],
    answer: { id, delivery, ...(shown ? { url } : {}) },
  };
}

/** Creates an invitation and its email in one transaction. @throws AppError as `createInvite` */
export async function inviteByMail(actor: Actor, form: z.output<typeof InviteForm>, here: Here & { db: Db }) {
  const { email, role, org_id: organisationId, department_id: departmentId } = form;
  return inTransaction(here.db, async (tx) => {
    const made = await createInvite(tx, actor, { email, role, organisationId, departmentId });
    const { brand, origin } = await mailSenderOf(tx, made.organisationId);
    const link = `${origin}/invite/${made.token}`;
    const language = isLanguage(actor.language) ? actor.language : "en";
    await sendInvite(tx, {
      to: email,
      language,
      brand,
      url: link,
      organisation: made.organisation,
      invitedBy: actor.name || actor.email,
      role: i18nFor(language).getFixedT(language, "admin")(`roles.${role}`),
      validSeconds: INVITE_DAYS * 86_400,
    });
    if (runsInstallation(role)) {
      await tellOwners(tx, here, actor, { person: email, role, page: "/invite", invited: true });
    }
    return { url: link, invite: made };
  });
}
