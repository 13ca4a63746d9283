import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { readAuditEvents } from "~/domain/activity/index.server";
import { csvResponse } from "~/http/body/csv";
import type { CsvCell } from "~/values/csv";
import { ActivityQuery, filterOf, forReader, personOf, withPerson } from "./list-query.server";

const PAGE = 500;
const HEADER = ["id", "time", "actor", "action", "target_kind", "target_id", "target", "address", "before", "after"];

const events = portalEndpoint({
  query: ActivityQuery,
  allow: "signed-in",
  GET: async ({ actor, query }) => {
    const filter = withPerson(filterOf(actor, query), await personOf(db(), actor, query));
    return csvResponse("activity.csv", HEADER, linesOf(actor, filter));
  },
});

async function* linesOf(
  actor: Actor,
  filter: ReturnType<typeof filterOf>,
): AsyncGenerator<CsvCell[][], void, undefined> {
  let { beforeId } = filter;
  for (;;) {
    const page = await readAuditEvents(db(), { ...filter, beforeId, limit: PAGE });
    yield forReader(actor, page).map((event) => [
      ...[
        String(event.id),
        event.at,
        event.actorLabel,
        event.action,
        event.targetKind,
        event.targetId,
        event.targetLabel,
      ],
      ...[event.address, event.before === null ? null : JSON.stringify(event.before)],
      event.after === null ? null : JSON.stringify(event.after),
    ]);
    if (page.length < PAGE) return;
    beforeId = page.at(-1)?.id;
  }
}

export const loader = events;
export const action = events;
