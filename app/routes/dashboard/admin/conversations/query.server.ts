import { z } from "zod";
import type { ConversationFilter } from "~/domain/conversations/shared";
import { Id, orNothing, SearchText } from "~/http/body/fields";

const Name = orNothing(z.string().trim().max(256));

/** Filter and start of the list of conversations. */
export const ConversationQuery = z.object({
  q: orNothing(SearchText),
  model: Name,
  session: Name,
  key: orNothing(Id),
  after: orNothing(Id),
});

export const filterOf = ({ q, model, session, key }: z.output<typeof ConversationQuery>): ConversationFilter => ({
  ...(q ? { q } : {}),
  ...(model === undefined ? {} : { model }),
  ...(session === undefined ? {} : { session }),
  ...(key === undefined ? {} : { keyId: key }),
});
