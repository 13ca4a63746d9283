import { MAX_NANO_USD } from "~/money";

/** Whether something is an amount: a bigint of whole nano-USD, from 0 to what the ledger can keep. */
export const isAmount = (amount: unknown): amount is bigint =>
  typeof amount === "bigint" && amount >= 0n && amount <= MAX_NANO_USD;

export const notAnAmount = (amount: unknown): RangeError =>
  new RangeError(`not an amount in nano-USD: ${String(amount)}`);
