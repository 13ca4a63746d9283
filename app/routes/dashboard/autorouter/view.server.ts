import { z } from "zod";
import type { Db } from "~/connection/db.server";
import { isHelpShown } from "~/domain/accounts/index.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { listKeyAutorouters } from "~/domain/keys/index.server";
import { effectiveAutorouter } from "~/domain/keys/shared";
import { readRoutedRequests } from "~/domain/request-log/index.server";
import { readModelMerits } from "~/domain/routing/index.server";
import { readAutorouterReport, usageScopeOf } from "~/domain/usage/index.server";
import { startOfDay } from "~/values/calendar-days";
import { chatModels } from "./setting.server";

const MAX_DAYS = 366;
const PAGE_SIZE = 50;
/** The page has six tables, so each has few rows. */
const ROWS_ON_PAGE = 25;
const MAX_KEYS = 100;

/** Number of days, including today, and the position in the list of requests. */
export const AutorouterQuery = z.object({
  days: z.preprocess(
    (input) => (input === "" ? undefined : input),
    z.coerce.number().int().min(1).max(MAX_DAYS).default(30),
  ),
  before: z.preprocess(
    (input) => (input === "" ? undefined : input),
    z.coerce.bigint().positive().max(9_223_372_036_854_775_807n).optional(),
  ),
});
/** The query of the page; `keys`: whether its table shows all keys. */
export const AutorouterPageQuery = AutorouterQuery.extend({ keys: z.literal("all").optional() });
export type AutorouterValues = z.output<typeof AutorouterQuery>;

/** Returns the autorouter's results and the settings of the actor's keys, for the page and the JSON. */
export async function readAutorouter(
  db: Db,
  actor: Actor,
  { days, before, limit = PAGE_SIZE }: AutorouterValues & { limit?: number },
) {
  const now = new Date();
  const span = { from: startOfDay(now, "UTC", days - 1), to: now };
  const scope = usageScopeOf(actor);
  const [report, page, { keys, user, organisation }] = await Promise.all([
    readAutorouterReport(db, scope, span),
    readRoutedRequests(db, scope, { from: span.from, beforeId: before ?? null, limit }),
    listKeyAutorouters(db, actor, MAX_KEYS),
  ]);
  return {
    days,
    ...span,
    report,
    requests: page.requests,
    next: page.nextBeforeId === null ? null : String(page.nextBeforeId),
    keys,
    user,
    organisation,
    own: effectiveAutorouter({ key: null, user, organisation }),
  };
}

/** Returns the data of the page: also the options of its forms and the inputs of the algorithms. */
export async function readAutorouterPage(db: Db, actor: Actor, query: z.output<typeof AutorouterPageQuery>) {
  const [view, isHelpVisible] = await Promise.all([
    readAutorouter(db, actor, { ...query, limit: ROWS_ON_PAGE }),
    isHelpShown(db, actor, "autorouter"),
  ]);
  return {
    ...view,
    keysShown: query.keys === "all" ? view.keys : view.keys.slice(0, ROWS_ON_PAGE),
    isHelpVisible,
    merits: readModelMerits(),
    models: chatModels(),
    administers: { organisation: atLeast(actor.role, "org_admin"), keys: atLeast(actor.role, "department_admin") },
  };
}

export type AutorouterView = Awaited<ReturnType<typeof readAutorouterPage>>;
