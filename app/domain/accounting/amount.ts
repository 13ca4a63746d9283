import { MAX_NANO_USD } from "~/money";
import type { Settlement } from "./shared";

/** Whether something is an amount: a bigint of whole nano-USD, from 0 to what the ledger can keep. */
export const isAmount = (amount: unknown): amount is bigint =>
  typeof amount === "bigint" && amount >= 0n && amount <= MAX_NANO_USD;

export const notAnAmount = (amount: unknown): RangeError =>
  new RangeError(`not an amount in nano-USD: ${String(amount)}`);

/** What a settlement is charged: nothing where nothing was executed, and at most what is held; null: that is not known here. */
export function chargeOf({ outcome, costNanoUsd }: Settlement, held: bigint | null = null): bigint {
  const cost = outcome === "not_executed" ? 0n : costNanoUsd;
  return held !== null && held < cost ? held : cost;
}
