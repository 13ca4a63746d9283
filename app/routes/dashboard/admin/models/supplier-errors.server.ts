import type { Db } from "~/connection/db.server";
import { readSupplierErrors } from "~/domain/request-log/index.server";
import type { SupplierErrors } from "~/domain/request-log/shared";
import { type ErrorHour, errorHours } from "./error-hour";

const HOUR_MS = 3_600_000;
const FRESH_MS = 10_000;
let read: { atMs: number; rows: Promise<SupplierErrors[]> } | null = null;

/** Returns the results of attempts in the last hour by supplier name. A process queries at most every ten seconds. */
export async function readErrorHours(db: Db): Promise<Record<string, ErrorHour>> {
  if (read === null || performance.now() - read.atMs >= FRESH_MS) {
    const rows = Promise.resolve(readSupplierErrors(db, new Date(Date.now() - HOUR_MS), { slotSeconds: 300 }));
    read = { atMs: performance.now(), rows };
    rows.catch(() => {
      read = null;
    });
  }
  return errorHours(await read.rows);
}
