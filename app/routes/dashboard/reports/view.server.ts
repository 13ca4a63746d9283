import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { askedBy, readResult } from "~/domain/reports/index.server";
import type { ReportQueryValues } from "./query.server";

/** Maximum number of rows on the page; the file has all rows. */
const MAX_ROWS = 200;

/** Returns a report's answer for a page. */
export async function readReportView(db: Db, actor: Actor, query: ReportQueryValues) {
  const question = askedBy(actor, query, new Date());
  const { window, group, interval, measures } = question;
  return { ...(await readResult(db, question, MAX_ROWS)), window, group, interval, measures };
}

export type ReportView = Awaited<ReturnType<typeof readReportView>>;
