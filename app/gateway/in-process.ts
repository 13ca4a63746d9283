import type { PriceList } from "~/domain/catalogue/shared";
import type { Caller } from "~/domain/keys/shared";
import type { BatchNote } from "~/domain/routing/shared";
import type { Usage } from "./canonical/usage";

/**
 * A call that gw makes in its own process, for the owner of a key and without the key's secret. It goes the way of every
 * other call: limits, hold, charge and log are those of the key.
 */
export type InProcess = {
  readonly caller: Caller;
  /** Under which the call is carried out and charged once; no client can send one with a blank in it. */
  readonly idempotencyKey?: string;
  /** The client's batch that it is a line of; noted with its usage. */
  readonly batchId?: string;
  /** The call is made in two halves, with hours between them. */
  readonly deferred?: Deferred;
  /** Called once, before anything is held, with the most that the call can cost. @throws AppError to refuse the call */
  reserve(amountNanoUsd: bigint): Promise<void>;
  /** Called once, whatever became of the call; behind its settlement and before the client sees the end of a stream. */
  ended(end: InProcessEnd): void;
};

/**
 * A call whose supplier answers hours later, as a line of a batch. It has its hold in any case, which does not wait for money and does
 * not count against the key's rate; `batch`, the supplier's, and `batchId`, the client's, are noted with its usage.
 */
export type Deferred = {
  readonly callId: string;
  readonly startedAt: Date;
  readonly batch: BatchNote;
  readonly batchId: string;
};

/** How a call ended: `route` and `settled` are null when it was not answered, or nothing was settled for it. */
type InProcessEnd = {
  readonly callId: string;
  /** Whole milliseconds that it took. */
  readonly ms: number;
  readonly status: number;
  readonly errorCode?: string | null;
  readonly attempts: { readonly records: readonly unknown[]; readonly firstByteMs: number | null };
  readonly route: { readonly supplier: { name: string; region: string }; readonly price: PriceList } | null;
  readonly settled: { readonly usage: Usage; readonly receipt: { readonly chargedNanoUsd: bigint } } | null;
};
