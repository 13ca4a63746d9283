import { z } from "zod";
import type { ConversationFilter } from "~/domain/conversations/shared";
import { Id, orNothing } from "~/http/body/fields";
import { CONVERSATION_FILTERS } from "./filters";

/** Filter and start of the list of conversations. */
export const ConversationQuery = z.object({ ...CONVERSATION_FILTERS.query, after: orNothing(Id) });

export const filterOf = ({ q, model, session, key }: z.output<typeof ConversationQuery>): ConversationFilter => ({
  ...(q ? { q } : {}),
  ...(model === undefined ? {} : { model }),
  ...(session === undefined ? {} : { session }),
  ...(key === undefined ? {} : { keyId: key }),
});
