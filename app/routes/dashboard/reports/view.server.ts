import type { Db } from "~/db.server";
import type { Actor } from "~/domain/identity/shared";
import { askedBy, readResult } from "~/domain/reports/index.server";
import type { ReportQueryValues } from "./query.server";

/** So many rows stand on a page; the file has all of them. */
const MAX_ROWS = 200;

/** Everything that a page shows of a report's answer. */
export async function readReportView(db: Db, actor: Actor, query: ReportQueryValues) {
  const question = askedBy(actor, query, new Date());
  const { window, group, interval, measures } = question;
  return { ...(await readResult(db, question, MAX_ROWS)), window, group, interval, measures };
}

export type ReportView = Awaited<ReturnType<typeof readReportView>>;
