import type { z } from "zod";
import type { Db } from "~/connection/db.server";
import { type Actor, atLeast, scopeOf } from "~/domain/accounts/shared";
import { countActorKeys, keyChoices, listActorKeys } from "~/domain/keys/index.server";
import { lastUses, outOfMoney } from "~/domain/request-log/index.server";
import { keyUseOfMonth } from "~/domain/usage/index.server";
import { placeWord } from "~/http/body/list-order";
import { modelsAndRegions } from "./catalogue-choices.server";
import type { KeyListQuery } from "./list-query.server";
import { PAGE_SIZE } from "./list-query.server";

/** Returns one page of the list, with the reader's filter options. */
export async function readKeyList(db: Db, actor: Actor, query: z.output<typeof KeyListQuery>) {
  const makes = actor.role !== "viewer";
  const [{ keys, next }, counts, choices] = await Promise.all([
    listActorKeys(db, actor, { ...query, limit: PAGE_SIZE }),
    countActorKeys(db, actor),
    makes ? keyChoices(db, actor) : null,
  ]);
  const ids = keys.map(({ id }) => id);
  const [uses, spent, broke] = await Promise.all([lastUses(db, ids), keyUseOfMonth(db, ids), outOfMoney(db, ids)]);
  return {
    keys: keys.map((key) => ({
      lastUsedAt: uses.get(key.id) ?? null,
      outOfMoney: broke.get(key.id) ?? null,
      monthNanoUsd: spent.get(key.id)?.chargedNanoUsd ?? 0n,
      monthRequests: spent.get(key.id)?.requests ?? 0,
      ...key,
    })),
    next: next === null ? null : placeWord(next),
    sorted: query.sorted,
    counts,
    makes,
    others: scopeOf(actor).kind !== "own",
    severalOrganisations: atLeast(actor.role, "platform_admin") && scopeOf(actor).kind === "everything",
    people: choices?.people ?? [],
    projects: choices?.projects ?? [],
    models: modelsAndRegions().models.map(({ id }) => id),
    now: new Date(),
  };
}

export type KeyListView = Awaited<ReturnType<typeof readKeyList>>;
export type KeyListRow = KeyListView["keys"][number];
