import { config } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { listActorKeys } from "~/domain/keys/index.server";
import { readPlaygroundBudget } from "~/domain/payers/index.server";
import { AUTO_MODEL } from "~/domain/routing/shared";
import { shownModels } from "../../_public/catalogue-view/shown-models.server";

/** Maximum number of keys in the form. */
const MAX_KEYS = 200;

/**
 * Returns the options of the playground: the person's own active keys, the chat models, and the rest of today's budget.
 */
export async function readPlayground(actor: Actor) {
  const [{ keys }, budget] = await Promise.all([
    listActorKeys(db(), actor, {
      filter: { status: "active", ownerId: actor.userId },
      sort: { by: "name", descending: false },
      after: null,
      limit: MAX_KEYS,
    }),
    readPlaygroundBudget(db(), actor.userId, config().playgroundDailyNanoUsd),
  ]);
  const models = shownModels().filter(({ capability, isFault }) => capability === "chat" && !isFault);
  return {
    keys: keys.filter(({ kind }) => kind === "inference").map(({ id, name }) => ({ id, name })),
    models: [...models.map(({ id }) => id).toSorted(), AUTO_MODEL],
    budget,
    baseUrl: config().baseUrl,
  };
}
