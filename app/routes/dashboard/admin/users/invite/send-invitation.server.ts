import { z } from "zod";
import { flashCookie } from "~/access/flash.server";
import { inTransaction } from "~/bus.server";
import { config } from "~/config.server";
import { db } from "~/db.server";
import { type Actor, EmailField } from "~/domain/identity/shared";
import { createInvite } from "~/domain/organisations/index.server";
import { INVITE_DAYS, INVITED_ROLES } from "~/domain/organisations/shared";
import { isLanguage } from "~/i18n/languages";
import { i18nFor } from "~/i18n/server.server";
import { sendInvite } from "~/mail/letters.server";
import { Id, IdOrNone } from "../../fields";
import type { Onward } from "../../page-action.server";

export const InviteForm = z.strictObject({
  email: EmailField,
  role: z.enum(INVITED_ROLES),
  org_id: Id.optional(),
  department_id: IdOrNone.optional(),
});

/** Makes an invitation and its letter together. Without a mail server, the link is shown once on the next page. */
export async function sendInvitation(actor: Actor, form: z.output<typeof InviteForm>): Promise<Onward> {
  const { email, role, org_id: organisationId, department_id: departmentId } = form;
  const url = await inTransaction(db(), async (tx) => {
    const invite = await createInvite(tx, actor, { email, role, organisationId, departmentId });
    const link = `${config().baseUrl}/invite/${invite.token}`;
    const language = isLanguage(actor.language) ? actor.language : "en";
    await sendInvite(tx, {
      to: email,
      language,
      brand: "gw",
      url: link,
      organisation: invite.organisation,
      invitedBy: actor.name || actor.email,
      role: i18nFor(language).getFixedT(language, "admin")(`roles.${role}`),
      validSeconds: INVITE_DAYS * 86_400,
    });
    return link;
  });
  const shown = flashCookie("once", { kind: "invite", secret: url, label: email });
  return {
    to: "/dashboard/admin/users/invite",
    toast: { kind: "good", text: "admin:done.invited", values: { email } },
    cookies: config().mail.smtpUrl === null ? [shown] : [],
  };
}
