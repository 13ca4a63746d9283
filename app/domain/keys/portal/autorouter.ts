import { inTransaction } from "~/bus.server";
import type { Db } from "~/db.server";
import { type Actor, authorOf } from "~/domain/identity/shared";
import { type AutorouterSetting, type EffectiveAutorouter, effectiveAutorouter, settingOfKey } from "../autorouter";
import { updateKey } from "../change";
import { noSuchKey } from "../read";
import { lockKey, readAutorouterSettings } from "../store";
import { visibleKey } from "./read";
import { mayNotChange, rightsOn } from "./rights";
import { listVisibleKeys } from "./store";

/**
 * Sets how `auto` chooses for a key within the actor's scope, as entries of its metadata; null: as its owner or organisation says.
 * `ownOnly`: a key of somebody else is like one that does not exist. In force everywhere within a second.
 * @throws AppError not_found; forbidden for somebody who may not change the key; conflict for a revoked key.
 */
export function setKeyAutorouter(
  db: Db,
  actor: Actor,
  ask: { keyId: number; setting: AutorouterSetting; ownOnly: boolean },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const seen = await visibleKey(tx, actor, ask.keyId);
    if (ask.ownOnly && seen.userId !== actor.userId) throw noSuchKey();
    if (!rightsOn(actor, seen).change) throw mayNotChange();
    await lockKey(tx, seen, seen.id);
    const key = await visibleKey(tx, actor, ask.keyId);
    const { autorouter: _, autorouter_default: __, ...others } = key.metadata as Record<string, string>;
    const { autorouter, autorouterDefault } = ask.setting;
    const metadata = {
      ...others,
      ...(autorouter === null ? {} : { autorouter }),
      ...(autorouterDefault === null ? {} : { autorouter_default: autorouterDefault }),
    };
    await updateKey(tx, key, { id: key.id }, { metadata }, authorOf(actor));
  });
}

/** How `auto` chooses for a key, what the key says itself, and whose key it is. */
export type KeyAutorouter = {
  id: number;
  name: string;
  owner: string | null;
  isOwn: boolean;
  mayChange: boolean;
  setting: AutorouterSetting;
  effective: EffectiveAutorouter;
};

/** The active inference keys within the actor's scope, the latest first, with what holds for each; and the actor's own two settings. */
export async function listKeyAutorouters(
  db: Db,
  actor: Actor,
  limit: number,
): Promise<{ keys: KeyAutorouter[]; user: AutorouterSetting; organisation: AutorouterSetting }> {
  const sort = { by: "created", descending: true } as const;
  const keys = await listVisibleKeys(db, actor, { status: "active" }, { sort, after: null, limit }, new Date());
  const settings = await readAutorouterSettings(db, {
    userIds: [actor.userId, ...keys.flatMap(({ userId }) => userId ?? [])],
    organisationIds: [
      actor.organisationId,
      actor.adminOrganisationId ?? 0,
      ...keys.map(({ organisationId }) => organisationId),
    ],
  });
  const organisationOf = (id: number) => settings.organisations.get(id) ?? NOTHING;
  return {
    keys: keys
      .filter(({ kind }) => kind === "inference")
      .map((key) => {
        const setting = settingOfKey(key.metadata);
        const user = key.userId === null ? null : (settings.users.get(key.userId) ?? null);
        return {
          id: key.id,
          name: key.name,
          owner: key.ownerName || key.ownerEmail,
          isOwn: key.userId === actor.userId,
          mayChange: actor.role !== "viewer",
          setting,
          effective: effectiveAutorouter({ key: setting, user, organisation: organisationOf(key.organisationId) }),
        };
      }),
    user: settings.users.get(actor.userId) ?? NOTHING,
    organisation: organisationOf(actor.adminOrganisationId ?? actor.organisationId),
  };
}

/** What routing knows of a key within the actor's scope. `autorouter`: how `auto` chooses for it. @throws AppError not_found */
export async function readKeyRouting(db: Db, actor: Actor, keyId: number) {
  const { name, allowedModels, allowedRegions, metadata, userId, organisationId } = await visibleKey(db, actor, keyId);
  const settings = await readAutorouterSettings(db, {
    userIds: userId === null ? [] : [userId],
    organisationIds: [organisationId],
  });
  const autorouter = effectiveAutorouter({
    key: settingOfKey(metadata),
    user: (userId === null ? null : settings.users.get(userId)) ?? null,
    organisation: settings.organisations.get(organisationId) ?? null,
  });
  return { name, allowedModels, allowedRegions, autorouter };
}

const NOTHING: AutorouterSetting = { autorouter: null, autorouterDefault: null };
