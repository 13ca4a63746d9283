import type { Db } from "~/connection/db.server";
import { readStatusDays } from "~/domain/usage/index.server";
import { shownModels } from "../catalogue-view/shown-models.server";
import { DAYS, type StatusView, statusOf } from "./view";

const KEPT_MS = 300_000;
const DAY_MS = 86_400_000;
const MAX_MODELS = 200;

let cached: { view: Promise<StatusView>; untilMs: number } | null = null;

/** Returns the page's data, at most five minutes old: it queries the database once in that time for all visitors. */
export function readStatus(db: Db, now = new Date()): Promise<StatusView> {
  if (cached !== null && now.getTime() < cached.untilMs) return cached.view;
  const fresh = { view: read(db, now), untilMs: now.getTime() + KEPT_MS };
  cached = fresh;
  // A failed read is not cached.
  fresh.view.catch(() => {
    if (cached === fresh) cached = null;
  });
  return fresh.view;
}

async function read(db: Db, now: Date): Promise<StatusView> {
  const models = shownModels().filter(({ isFault }) => !isFault);
  const since = new Date((Math.floor(now.getTime() / DAY_MS) - DAYS + 1) * DAY_MS);
  const ids = models.map(({ id }) => id).slice(0, MAX_MODELS);
  return statusOf(await readStatusDays(db, since, ids), now);
}
