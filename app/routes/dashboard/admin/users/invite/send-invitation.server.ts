import type { RouterContextProvider } from "react-router";
import type { z } from "zod";
import { flashCookie } from "~/access/flash.server";
import type { Onward } from "~/access/portal/page-action.server";
import { db } from "~/connection/db.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { inviteByMail } from "~/routes/invitation-email.server";
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
