import { portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { readActs } from "~/domain/activity/index.server";
import type { Actor } from "~/domain/identity/shared";
import { type CsvCell, csvResponse } from "~/http/csv";
import { ActivityQuery, filterOf, forReader } from "./list-query.server";

const PAGE = 500;
const HEADER = ["id", "time", "actor", "action", "target_kind", "target_id", "target", "address", "before", "after"];

const acts = portalEndpoint({
  query: ActivityQuery,
  allow: "signed-in",
  GET: ({ actor, query }) => csvResponse("activity.csv", HEADER, linesOf(actor, filterOf(actor, query))),
});

async function* linesOf(
  actor: Actor,
  filter: ReturnType<typeof filterOf>,
): AsyncGenerator<CsvCell[][], void, undefined> {
  let { beforeId } = filter;
  for (;;) {
    const page = await readActs(db(), { ...filter, beforeId, limit: PAGE });
    yield forReader(actor, page).map((act) => [
      ...[String(act.id), act.at, act.actorLabel, act.action, act.targetKind, act.targetId, act.targetLabel],
      ...[act.address, act.before === null ? null : JSON.stringify(act.before)],
      act.after === null ? null : JSON.stringify(act.after),
    ]);
    if (page.length < PAGE) return;
    beforeId = page.at(-1)?.id;
  }
}

export const loader = acts;
export const action = acts;
