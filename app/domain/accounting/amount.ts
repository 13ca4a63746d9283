import { MAX_NANO_USD } from "~/values/money";
import type { Settlement } from "./shared";

/** Whether a value is an amount: a bigint of nano-USD from 0 to the maximum of the ledger. */
export const isAmount = (amount: unknown): amount is bigint =>
  typeof amount === "bigint" && amount >= 0n && amount <= MAX_NANO_USD;

export const notAnAmount = (amount: unknown): RangeError =>
  new RangeError(`not an amount in nano-USD: ${String(amount)}`);

/** The charge of a settlement: 0 if not executed, else its cost, capped at `held`; null: the hold is unknown here. */
export function chargeOf({ outcome, costNanoUsd }: Settlement, held: bigint | null = null): bigint {
  const cost = outcome === "not_executed" ? 0n : costNanoUsd;
  return held !== null && held < cost ? held : cost;
}
