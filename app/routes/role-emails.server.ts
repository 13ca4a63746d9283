import type { RouterContextProvider } from "react-router";
import { languageOf } from "~/access/language.server";
import { portalOf } from "~/access/portal-of.server";
import type { Db } from "~/connection/db.server";
import { findAccountById, findOwners } from "~/domain/accounts/index.server";
import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";
import type { Language } from "~/i18n/languages";
import { i18nFor } from "~/i18n/server.server";
import { sendRoleChanged, sendRoleGranted } from "~/mail/security-emails.server";
import { addressee, circumstancesOf } from "./email-facts.server";

type Here = { request: Request; context: Readonly<RouterContextProvider> };

/** Whether the role administers the installation, so that assigning it requires a recent proof of identity. */
export const runsInstallation = (role: Role): boolean => atLeast(role, "platform_admin");

/** Returns the name of a role in a language. */
export const roleIn = (language: Language, role: Role): string =>
  i18nFor(language).getFixedT(language, "admin")(`roles.${role}`);

/** Notifies a person of their new role, and the owners if the person becomes a platform admin or owner. */
export async function emailRoleChanged(
  tx: Db,
  here: Here,
  actor: Actor,
  change: { userId: number; before: Role; after: Role },
): Promise<void> {
  const { userId, before, after } = change;
  const account = await findAccountById(tx, userId);
  if (account === null) return;
  const portal = await portalOf(here.request);
  const to = addressee(portal, account, languageOf(here.context));
  await sendRoleChanged(tx, {
    ...to,
    at: new Date(),
    url: `${portal.origin}/login`,
    by: actor.name || actor.email,
    before: roleIn(to.language, before),
    after: roleIn(to.language, after),
  });
  if (!runsInstallation(after)) return;
  await emailOwners(tx, here, actor, { person: account.email, role: after, page: `/${userId}`, invited: false });
}

/** Notifies every owner, except the person, that a person administers the installation or is invited to do so. */
export async function emailOwners(
  tx: Db,
  here: Here,
  actor: Actor,
  grant: { person: string; role: Role; page: string; invited: boolean },
): Promise<void> {
  const { person, role, page, invited } = grant;
  const portal = await portalOf(here.request);
  for (const owner of await findOwners(tx)) {
    if (owner.email === person) continue;
    const to = addressee(portal, owner, languageOf(here.context));
    await sendRoleGranted(tx, {
      ...to,
      ...circumstancesOf(here),
      url: `${portal.origin}/dashboard/admin/users${page}`,
      by: actor.name || actor.email,
      person,
      role: roleIn(to.language, role),
      invited,
    });
  }
}
