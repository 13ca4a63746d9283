import type { Caller } from "~/domain/keys/shared";
import { Call } from "../call-record";
import type { Dialect } from "../dialects/dialect";
import type { Deferred } from "../in-process";

/** A call whose supplier answers hours later: its caller and the client's own body. */
export type DeferredCall = { caller: Caller; dialect: Dialect; body: string; deferred: Deferred };

/** Creates the record of one half of the call. No client waits for it, and it has no headers. */
export const openCall = ({ caller, dialect, deferred }: DeferredCall): Call =>
  new Call(new Request("http://gw/"), dialect.endpoint, {
    caller,
    deferred,
    batchId: deferred.batchId,
    reserve: async () => undefined,
    ended: () => undefined,
  });
