import { z } from "zod";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import type { Done } from "~/domain/activity/index.server";
import { undoActorKeys } from "~/domain/keys/index.server";
import { undoPeople } from "~/domain/people/index.server";
import { apiError } from "~/errors/app-error";
import { seal, unseal } from "~/sealing/sealing.server";

const LOCATION = "form:undo";
const VALID_MS = 15 * 60_000;

const KINDS = { key: undoActorKeys, user: undoPeople } as const;

const Sealed = z.object({
  kind: z.enum(["key", "user"]),
  userId: z.int(),
  untilMs: z.number(),
  done: z.array(z.tuple([z.int(), z.string().regex(/^\d+$/)])),
});

/** Seals an act for its author's button to undo it, for 15 minutes; undefined: it changed nothing. */
export function sealedUndo(kind: keyof typeof KINDS, actor: Actor, done: Done): string | undefined {
  if (done.length === 0) return undefined;
  const content: z.output<typeof Sealed> = {
    kind,
    userId: actor.userId,
    untilMs: Date.now() + VALID_MS,
    done: done.map(({ id, eventId }) => [id, String(eventId)]),
  };
  return seal(JSON.stringify(content), LOCATION);
}

/**
 * Undoes a sealed act of the actor. Returns the number of changes undone.
 * @throws AppError conflict if something has been changed since, or too much time has passed.
 */
export async function undoSealed(db: Db, actor: Actor, sealed: string): Promise<number> {
  const { kind, userId, untilMs, done } = opened(sealed);
  if (userId !== actor.userId || untilMs < Date.now()) throw apiError("conflict", { key: "rejections:notUndone" });
  await KINDS[kind](
    db,
    actor,
    done.map(([id, eventId]) => ({ id, eventId: BigInt(eventId) })),
  );
  return done.length;
}

function opened(sealed: string): z.output<typeof Sealed> {
  try {
    return Sealed.parse(JSON.parse(unseal(sealed, LOCATION)));
  } catch (cause) {
    // Sealed with another GW_SECRET, or forged.
    throw apiError("conflict", { key: "rejections:notUndone", cause });
  }
}
