import type { SupplierErrors } from "~/domain/request-log/shared";

/** Number of five-minute slots in an hour. */
export const SLOTS = 12;

/**
 * A supplier's last hour: attempts, failed attempts, and the failure rate of each five minutes, oldest first; null: no
 * attempts.
 */
export type ErrorHour = { attempts: number; failed: number; shares: (number | null)[] };

/** Groups rows of slots into hours by supplier name. */
export function errorHours(rows: readonly SupplierErrors[]): Record<string, ErrorHour> {
  const hours: Record<string, ErrorHour> = {};
  for (const { supplier, slot, attempts, failed } of rows) {
    hours[supplier] ??= { attempts: 0, failed: 0, shares: Array(SLOTS).fill(null) };
    const hour = hours[supplier];
    hour.attempts += attempts;
    hour.failed += failed;
    // Attempts that start while the hour is being read count in the last slot.
    const at = Math.min(slot, SLOTS - 1);
    hour.shares[at] = failed / attempts;
  }
  return hours;
}
