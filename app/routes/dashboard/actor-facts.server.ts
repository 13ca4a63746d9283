import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, scopeOf } from "~/domain/accounts/shared";
import { hasFunds } from "~/domain/keys/index.server";

/** The holds that an actor may see. */
export function holdScopeOf(actor: Actor): { organisationId?: number; departmentId?: number; userId?: number } {
  const { kind, ...ids } = scopeOf(actor);
  return kind === "everything" ? {} : ids;
}

/** False if there is no money to spend and only platform admins can change that. */
export const canSpend = async (db: Db, actor: Actor): Promise<boolean> =>
  config().stripe !== null || atLeast(actor.role, "platform_admin") || (await hasFunds(db, actor));
