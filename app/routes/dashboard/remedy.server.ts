import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { readOwnFunding } from "~/domain/billing/index.server";
import type { RejectedRequests } from "~/domain/request-log/shared";
import { type Remedy, type RemedyFacts, remedyFor } from "./remedy";

/** Returns the one thing that the reader can do about a rejection. `sample`: the command that the page shows, if any. */
export async function readRemedy(
  db: Db,
  actor: Actor,
  burst: RejectedRequests,
  sample: RemedyFacts["sample"] = null,
): Promise<Remedy> {
  const { mayFund, exempt } = await readOwnFunding(db, actor);
  // A person who pays for themselves is the only one who can add funds.
  const isOthersWallet = burst.details?.pays_itself === true && burst.userId !== actor.userId;
  return remedyFor({
    code: burst.code,
    scope: burst.details?.scope,
    keyId: burst.keyId,
    userId: burst.userId ?? actor.userId,
    mayFund: mayFund && !exempt && !isOthersWallet && config().stripe !== null,
    isOrgAdmin: atLeast(actor.role, "org_admin"),
    sample,
  });
}
