import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { readTurn } from "~/domain/conversations/index.server";
import { listActorKeys } from "~/domain/keys/index.server";
import { readPlaygroundBudget } from "~/domain/payers/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";
import { shownModels } from "../../_public/catalogue-view/shown-models.server";
import { promptOf } from "./stored-prompt";

/** Maximum number of keys in the form. */
const MAX_KEYS = 200;

/**
 * Returns the options of the playground: the person's own active keys, the chat models, the rest of today's budget, and
 * the texts of a stored request, if the person may read it.
 */
export async function readPlayground(actor: Actor, requestId?: string) {
  const [{ keys }, budget, stored] = await Promise.all([
    listActorKeys(db(), actor, {
      filter: { status: "active", ownerId: actor.userId },
      sort: { by: "name", descending: false },
      after: null,
      limit: MAX_KEYS,
    }),
    readPlaygroundBudget(db(), actor.userId, config().playgroundDailyNanoUsd),
    requestId === undefined ? null : readTurn(db(), actor, requestId),
  ]);
  const models = shownModels().filter(({ capability, isFault }) => capability === "chat" && !isFault);
  const isOffered = stored !== null && models.some(({ id }) => id === stored.model);
  return {
    prompt: { ...promptOf(stored?.request ?? ""), model: isOffered ? stored.model : null },
    keys: keys.filter(({ kind }) => kind === "inference").map(({ id, name }) => ({ id, name })),
    models: [...models.map(({ id }) => id).toSorted(), AUTO_MODEL],
    budget,
    baseUrl: config().baseUrl,
  };
}
