import type { SupplierErrors } from "~/domain/metering/shared";

/** So many slots of five minutes make an hour. */
export const SLOTS = 12;

/** The last hour of a supplier: attempts at it, those that failed, and the share that failed in each five minutes, oldest first; null: none. */
export type ErrorHour = { attempts: number; failed: number; shares: (number | null)[] };

/** Rows of slots as hours of suppliers, by their names. */
export function errorHours(rows: readonly SupplierErrors[]): Record<string, ErrorHour> {
  const hours: Record<string, ErrorHour> = {};
  for (const { supplier, slot, attempts, failed } of rows) {
    hours[supplier] ??= { attempts: 0, failed: 0, shares: Array(SLOTS).fill(null) };
    const hour = hours[supplier];
    hour.attempts += attempts;
    hour.failed += failed;
    // What begins while the hour is read belongs to its end.
    const at = Math.min(slot, SLOTS - 1);
    hour.shares[at] = failed / attempts;
  }
  return hours;
}
