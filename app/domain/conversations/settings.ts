import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { setOrganisationConversations } from "~/domain/organisations/index.server";
import type { ConversationSettings } from "~/domain/organisations/shared";
import { moveExpiry } from "./store";

/**
 * Sets whether and how an organisation's requests and answers are stored, from the next request on; null: they are not
 * stored, and all stored content is deleted at once. A changed retention also applies to stored content.
 * @throws AppError forbidden below organisation admin, not_found
 */
export function changeConversationSettings(
  db: Db,
  actor: Actor,
  organisationId: number,
  settings: ConversationSettings | null,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await setOrganisationConversations(tx, actor, organisationId, settings);
    if (settings !== null) await moveExpiry(tx, organisationId, settings.days);
  });
}
