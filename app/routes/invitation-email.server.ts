import type { RouterContextProvider } from "react-router";
import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { createInvite, mailSenderOf } from "~/domain/organisations/index.server";
import { INVITE_DAYS, type INVITED_ROLES } from "~/domain/organisations/shared";
import { isLanguage } from "~/i18n/languages";
import { sendInvite } from "~/mail/emails.server";
import { emailOwners, roleIn, runsInstallation } from "./role-emails.server";

type Here = { db: Db; request: Request; context: Readonly<RouterContextProvider> };
type InviteFields = {
  email: string;
  role: (typeof INVITED_ROLES)[number];
  org_id?: number;
  department_id?: number | null;
};

/** Creates an invitation and its email in one transaction. @throws AppError as `createInvite` */
export async function inviteByMail(actor: Actor, form: InviteFields, here: Here) {
  const { email, role, org_id: organisationId, department_id: departmentId } = form;
  return inTransaction(here.db, async (tx) => {
    const invite = await createInvite(tx, actor, { email, role, organisationId, departmentId });
    const { brand, origin } = await mailSenderOf(tx, invite.organisationId);
    const link = `${origin}/invite/${invite.token}`;
    const language = isLanguage(actor.language) ? actor.language : "en";
    await sendInvite(tx, {
      to: email,
      language,
      brand,
      url: link,
      organisation: invite.organisation,
      invitedBy: actor.name || actor.email,
      role: roleIn(language, role),
      validSeconds: INVITE_DAYS * 86_400,
    });
    if (runsInstallation(role)) {
      await emailOwners(tx, here, actor, { person: email, role, page: "/invite", invited: true });
    }
    return { url: link, invite };
  });
}
