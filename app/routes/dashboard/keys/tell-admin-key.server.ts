import type { RouterContextProvider } from "react-router";
import { languageOf } from "~/access/language.server";
import { portalOf } from "~/access/portal-of.server";
import type { Db } from "~/connection/db.server";
import { administratorsOf } from "~/domain/accounts/index.server";
import type { Actor } from "~/domain/accounts/shared";
import { readActorKey } from "~/domain/keys/index.server";
import { sendAdminKey } from "~/mail/security-emails.server";
import { addressee, circumstancesOf } from "~/routes/email-facts.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/** Notifies an organisation's administrators, and the actor, of a new admin key or a new secret of one. */
export async function emailAdminKey(
  tx: Db,
  here: Here,
  actor: Actor,
  { id, rotated }: { id: number; rotated: boolean },
): Promise<void> {
  const portal = await portalOf(here.request);
  const { name, organisation } = await readActorKey(tx, actor, id);
  for (const account of await administratorsOf(tx, organisation.id, actor.userId)) {
    await sendAdminKey(tx, {
      ...addressee(portal, account, languageOf(here.context)),
      ...circumstancesOf(here),
      url: `${portal.origin}/dashboard/keys/${id}`,
      by: actor.name || actor.email,
      key: name,
      organisation: organisation.name,
      rotated,
    });
  }
}
