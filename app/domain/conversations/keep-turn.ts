import { db } from "~/connection/db.server";
import type { ConversationSettings } from "~/domain/organisations/shared";
import { log } from "~/observe/log.server";
import { sealWith } from "~/sealing/sealing.server";
import { dataKeyOf, evictDataKey } from "./data-key";
import { redacted } from "./redact";
import type { FinishedTurn, TurnContent } from "./shared";
import { insertTurn } from "./store";

/** Maximum stored characters of a request, and of an answer. */
const MAX_TEXT_CHARACTERS = 64_000;
/**
 * Limits of the queue, in characters and turns. Turns beyond them are dropped, so that no call waits and memory use is
 * bounded.
 */
const MAX_WAITING_CHARACTERS = 8_000_000;
const MAX_WAITING_TURNS = 2_000;
const TELL_EVERY_MS = 60_000;

type Waiting = { turn: FinishedTurn; content: TurnContent; settings: ConversationSettings; size: number };

const queue: Waiting[] = [];
let waitingCharacters = 0;
let lost = 0;
let warnedAtMs = Number.NEGATIVE_INFINITY;
let writing: Promise<void> | null = null;

/**
 * Queues a finished call to be stored as its organisation has chosen, and returns at once. Texts beyond 64,000
 * characters are cut. Turns that exceed the queue or cannot be written are dropped and counted in the log, without
 * their content.
 */
export function saveTurn(turn: FinishedTurn, settings: ConversationSettings, content: TurnContent): void {
  const cut = { request: cutTo(content.request, "end"), answer: cutTo(content.answer, "start") };
  const size = cut.request.length + cut.answer.length;
  if (queue.length >= MAX_WAITING_TURNS || waitingCharacters + size > MAX_WAITING_CHARACTERS) {
    warnLost();
    return;
  }
  queue.push({ turn, content: cut, settings, size });
  waitingCharacters += size;
  writing ??= writeAll().finally(() => (writing = null));
}

async function writeAll(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    try {
      await write(next);
    } catch (error) {
      warnLost(error);
    }
    waitingCharacters -= next.size;
  }
}

async function write({ turn, content, settings }: Waiting): Promise<void> {
  const clean = JSON.stringify({
    request: redacted(content.request, settings),
    answer: redacted(content.answer, settings),
  });
  // The cached key may be outdated: storing was switched off, which deleted everything, and on again.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { id, key } = await dataKeyOf(db(), turn.organisationId);
    const sealed = sealWith(key, clean, placeOfTurn(turn.requestId));
    if (await insertTurn(db(), turn, { keyUsed: id, content: sealed, days: settings.days })) return;
    evictDataKey(turn.organisationId);
  }
}

/** The associated data of a turn's content, which ties the ciphertext to its row. */
export const placeOfTurn = (requestId: string) => `conversation_turn:${requestId}:content`;

// The end of a long request matters most, and the beginning of a long answer.
const cutTo = (text: string, part: "start" | "end"): string => {
  if (text.length <= MAX_TEXT_CHARACTERS) return text;
  return part === "start" ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : `…${text.slice(-MAX_TEXT_CHARACTERS)}`;
};

function warnLost(error?: unknown): void {
  lost += 1;
  if (performance.now() - warnedAtMs < TELL_EVERY_MS) return;
  warnedAtMs = performance.now();
  log.warn({ lost, err: error }, "conversations could not be stored and are lost");
  lost = 0;
}
