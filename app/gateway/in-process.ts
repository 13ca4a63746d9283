import type { PriceList } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import type { BatchNote } from "~/domain/routing/shared";
import type { Usage } from "./canonical/usage";

/**
 * A call that gw makes in its own process, for the owner of a key and without the key's secret. It takes the path of
 * every other call: the key's limits, hold, charge and log apply.
 */
export type InternalCall = {
  readonly caller: Caller;
  /** The call is executed and charged once under this key. It contains a blank, which no client can send. */
  readonly idempotencyKey?: string;
  /** The client's batch of which the call is a line; recorded with its usage. */
  readonly batchId?: string;
  /** Set if the call is made in two halves, hours apart. */
  readonly deferred?: Deferred;
  /** Called once, before the hold is placed, with the maximum cost of the call. @throws AppError to refuse the call */
  reserve(amountNanoUsd: bigint): Promise<void>;
  /** Called once for every call, after its settlement and before the client sees the end of a stream. */
  ended(end: InternalCallEnd): void;
};

/**
 * A call whose supplier answers hours later, such as a line of a batch. It always has a hold, which does not wait for
 * money and does not count against the key's rate limit. `batch` (the supplier's) and `batchId` (the client's) are
 * recorded with its usage.
 */
export type Deferred = {
  readonly callId: string;
  readonly startedAt: Date;
  readonly batch: BatchNote;
  readonly batchId: string;
};

/** End of a call. `route` and `settled` are null if the call was not answered or nothing was settled. */
type InternalCallEnd = {
  readonly callId: string;
  /** Duration in whole milliseconds. */
  readonly ms: number;
  readonly status: number;
  readonly errorCode?: string | null;
  readonly attempts: { readonly records: readonly unknown[]; readonly firstByteMs: number | null };
  readonly route: { readonly supplier: { name: string; region: string }; readonly price: PriceList } | null;
  readonly settled: { readonly usage: Usage; readonly receipt: { readonly chargedNanoUsd: bigint } } | null;
};
