import { inTransaction } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { apiError } from "~/errors/app-error";
import type { TargetEvent } from "./shared";
import { findNewestEvents } from "./store";

/** What an act on several targets changed: each changed target with the event that records its change. */
export type Done = readonly { id: number; eventId: bigint }[];

/** An act on each of several targets of one kind. `act` records an event if it changes the target. */
type Doing = { kind: string; ids: readonly number[]; act: (tx: Db, id: number) => Promise<unknown> };

/**
 * Does one act on several targets in one transaction, in the order of their ids, which is the order of locks. If it
 * fails for one of them, none is changed. Returns the changed ones.
 */
export function doTogether(db: Db, { kind, ids, act }: Doing): Promise<Done> {
  const targets = [...new Set(ids)].sort((a, b) => a - b);
  return inTransaction(db, async (tx) => {
    const before = await findNewestEvents(tx, kind, targets);
    for (const id of targets) await act(tx, id);
    const after = await findNewestEvents(tx, kind, targets);
    return targets.flatMap((id) => {
      const eventId = after.get(String(id))?.id;
      return eventId === undefined || eventId === before.get(String(id))?.id ? [] : [{ id, eventId }];
    });
  });
}

/**
 * Undoes an act on several targets in one transaction. `lock` locks a target against changes, and `revert` restores
 * what the event says the target was before.
 * @throws AppError conflict if a target has been changed since.
 */
export function undo(
  db: Db,
  { kind, done }: { kind: string; done: Done },
  of: {
    lock: (tx: Db, id: number) => Promise<unknown>;
    revert: (tx: Db, id: number, event: TargetEvent) => Promise<unknown>;
  },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const targets = done.toSorted((a, b) => a.id - b.id);
    for (const { id } of targets) await of.lock(tx, id);
    const newest = await findNewestEvents(
      tx,
      kind,
      targets.map(({ id }) => id),
    );
    for (const { id, eventId } of targets) {
      const event = newest.get(String(id));
      if (event?.id !== eventId) throw apiError("conflict", { key: "rejections:changedSince" });
      await of.revert(tx, id, event);
    }
  });
}
