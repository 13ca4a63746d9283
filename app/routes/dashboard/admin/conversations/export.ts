import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { exportConversations } from "~/domain/conversations/index.server";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { ConversationQuery, filterOf } from "./query.server";

const HEADER = [
  ...["conversation_id", "organisation", "key_id", "key", "user", "session", "request_id", "at", "expires_at"],
  ...["endpoint", "model", "request", "answer"],
];

const conversations = portalEndpoint({
  query: ConversationQuery,
  allow: "org_admin",
  GET: ({ actor, query }) => {
    const { q: _, ...filter } = filterOf(query);
    return csvResponse("conversations.csv", HEADER, linesOf(exportConversations(db(), actor, filter)));
  },
});

async function* linesOf(pages: ReturnType<typeof exportConversations>): AsyncGenerator<CsvCell[][], void, undefined> {
  for await (const page of pages)
    yield page.flatMap(({ conversation: c, turns }) =>
      turns.map((turn) => [
        ...[c.id, c.organisationName, c.keyId, c.keyName, c.userName, c.sessionId, turn.requestId, turn.at],
        ...[turn.expiresAt, turn.endpoint, turn.model, turn.content?.request ?? null, turn.content?.answer ?? null],
      ]),
    );
}

export const loader = conversations;
export const action = conversations;
