import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { createActorKey } from "~/domain/keys/index.server";
import type { Random } from "./random";

/** Uses of a key: endpoints with a capability, and their weights. */
export type Taste = readonly (readonly [Use, number])[];
export type Use = "chat" | "messages" | "embed" | "rerank" | "transcribe" | "speak";

export type SeededKey = {
  id: number;
  secret: string;
  taste: Taste;
  /** Calls in a busy hour. */
  perHour: number;
  /** Also makes calls at night and on weekends. */
  unattended: boolean;
  /** Models that it requests without permission. */
  forbidden: readonly string[];
};

type Wish = Partial<Parameters<typeof createActorKey>[2]> & { name: string };

export const CHATTING: Taste = [["chat", 1]];
const TASTES: readonly Taste[] = [
  [
    ["chat", 5],
    ["messages", 2],
  ],
  [["messages", 1]],
  [
    ["chat", 3],
    ["embed", 2],
  ],
  [
    ["chat", 4],
    ["transcribe", 1],
    ["speak", 1],
  ],
];
const NAMES = ["laptop", "coding agent", "notebook", "editor", "scripts"];

/** Creates a person's own key. */
export function personalKey(actor: Actor, random: Random, more: Partial<Wish> = {}): Promise<SeededKey> {
  const wish = { owner: "self" as const, name: `${actor.name.split(" ")[0]}'s ${random.pick(NAMES)}`, ...more };
  return makeKey(actor, wish, { taste: random.pick(TASTES), perHour: 0.25 + random.next() * 0.9 });
}

/** Creates an application's key without an assigned person. */
export function serviceKey(actor: Actor, wish: Wish, use: Partial<SeededKey>): Promise<SeededKey> {
  return makeKey(actor, { owner: "nobody" as const, ...wish }, { unattended: true, ...use });
}

async function makeKey(actor: Actor, wish: Wish, use: Partial<SeededKey>): Promise<SeededKey> {
  const { id, secret } = await createActorKey(db(), actor, { owner: "self", ...wish });
  return { id, secret, taste: CHATTING, perHour: 0.5, unattended: false, forbidden: [], ...use };
}
