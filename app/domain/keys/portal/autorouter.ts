import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { type Actor, authorOf } from "~/domain/accounts/shared";
import { type AutorouterSetting, type EffectiveAutorouter, effectiveAutorouter, settingOfKey } from "../autorouter";
import { updateKey } from "../change";
import { noSuchKey } from "../read";
import { findAutorouterSettings, lockKey } from "../store";
import { visibleKey } from "./read";
import { mayNotChange, rightsOn } from "./rights";
import { listAutorouterRows } from "./store";

/**
 * Sets how `auto` chooses for a key within the actor's scope, as entries of its metadata; null: the owner's or
 * organisation's setting applies. `ownOnly`: another person's key is treated as missing. Takes effect everywhere within
 * a second.
 * @throws AppError not_found; forbidden for an actor who may not change the key; conflict for a revoked key.
 */
export function setKeyAutorouter(
  db: Db,
  actor: Actor,
  change: { keyId: number; setting: AutorouterSetting; ownOnly: boolean },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const seen = await visibleKey(tx, actor, change.keyId);
    if (change.ownOnly && seen.userId !== actor.userId) throw noSuchKey();
    if (!rightsOn(actor, seen).change) throw mayNotChange();
    await lockKey(tx, seen, seen.id);
    const key = await visibleKey(tx, actor, change.keyId);
    const { autorouter: _, autorouter_default: __, ...others } = key.metadata as Record<string, string>;
    const { autorouter, autorouterDefault } = change.setting;
    const metadata = {
      ...others,
      ...(autorouter === null ? {} : { autorouter }),
      ...(autorouterDefault === null ? {} : { autorouter_default: autorouterDefault }),
    };
    await updateKey(tx, key, { id: key.id }, { metadata }, authorOf(actor));
  });
}

/** How `auto` chooses for a key, the key's own setting, and the key's owner. */
export type KeyAutorouter = {
  id: number;
  name: string;
  owner: string | null;
  isOwn: boolean;
  mayChange: boolean;
  setting: AutorouterSetting;
  effective: EffectiveAutorouter;
};

/**
 * Returns the active inference keys within the actor's scope, newest first, with their effective settings, and the
 * actor's own two settings.
 */
export async function listKeyAutorouters(
  db: Db,
  actor: Actor,
  limit: number,
): Promise<{ keys: KeyAutorouter[]; user: AutorouterSetting; organisation: AutorouterSetting }> {
  const [keys, settings] = await Promise.all([
    listAutorouterRows(db, actor, limit, new Date()),
    findAutorouterSettings(db, {
      userId: actor.userId,
      organisationId: actor.adminOrganisationId ?? actor.organisationId,
    }),
  ]);
  return {
    keys: keys.map(({ id, name, userId, owner, metadata, ofUser, ofOrganisation }) => {
      const setting = settingOfKey(metadata);
      return {
        id,
        name,
        owner,
        setting,
        isOwn: userId === actor.userId,
        mayChange: actor.role !== "viewer",
        effective: effectiveAutorouter({ key: setting, user: ofUser, organisation: ofOrganisation }),
      };
    }),
    user: settings.user ?? NOTHING,
    organisation: settings.organisation ?? NOTHING,
  };
}

/**
 * Returns the routing data of a key within the actor's scope. `autorouter`: how `auto` chooses for it. @throws AppError
 * not_found
 */
export async function readKeyRouting(db: Db, actor: Actor, keyId: number) {
  const { name, allowedModels, allowedRegions, metadata, userId, organisationId } = await visibleKey(db, actor, keyId);
  const settings = await findAutorouterSettings(db, { userId, organisationId });
  const autorouter = effectiveAutorouter({ key: settingOfKey(metadata), ...settings });
  return { name, allowedModels, allowedRegions, autorouter };
}

const NOTHING: AutorouterSetting = { autorouter: null, autorouterDefault: null };
