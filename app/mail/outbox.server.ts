import { randomUUID } from "node:crypto";
import { announce, onAnnounce } from "~/bus.server";
import { type Db, db } from "~/db.server";
import { log } from "~/log.server";
import { CannotOpen, seal, unseal } from "~/sealing.server";
import { deliver } from "./deliver.server";
import type { Letter } from "./letter";
import { insertMail, markFailed, markSent, takeMails, tidyMails, type WaitingMail } from "./store";

/** A mail as it lies in the outbox. */
type Content = { to: string; letter: Letter };

const BATCH = 10;
const MOST_ATTEMPTS = 12;
const FIRST_PAUSE_SECONDS = 15;
const LONGEST_PAUSE_SECONDS = 3_600;
const LOOK_EVERY_MS = 5_000;
const TIDY_EVERY_MS = 60_000;

/**
 * Puts a mail into the outbox, in the transaction of the act that it tells about: it leaves after the commit, is tried again
 * for hours while the mail server is away, and is forgotten when `usefulSeconds` are over. Never waits for a mail server.
 */
export async function post(
  tx: Db,
  mail: { kind: string; to: string; letter: Letter; usefulSeconds: number | null },
): Promise<void> {
  const id = randomUUID();
  const content: Content = { to: mail.to, letter: mail.letter };
  const sealed = seal(JSON.stringify(content), placeOf(id));
  await insertMail(tx, { id, kind: mail.kind, sealed, usefulSeconds: mail.usefulSeconds });
  await announce(tx, "mail");
}

let stopListening: (() => void) | null = null;
let lookTimer: NodeJS.Timeout | undefined;
let tidyTimer: NodeJS.Timeout | undefined;
let sending: Promise<void> | null = null;
let again = false;

/** Starts to send what is in the outbox. Any number of processes may; each mail is sent by one of them. */
export function startMail(): void {
  stopListening = onAnnounce("mail", () => void sendWaiting());
  lookTimer = setInterval(() => void sendWaiting(), LOOK_EVERY_MS).unref();
  tidyTimer = setInterval(() => void quietly(tidyMails(db())), TIDY_EVERY_MS).unref();
  void sendWaiting();
}

/** Stops sending, after the mails that are on their way. */
export async function stopMail(): Promise<void> {
  stopListening?.();
  stopListening = null;
  clearInterval(lookTimer);
  clearInterval(tidyTimer);
  await sending;
}

/** Sends everything whose time has come. Of several calls at once, one works and looks once more at the end. */
export function sendWaiting(): Promise<void> {
  again = true;
  sending ??= work();
  return sending;
}

async function work(): Promise<void> {
  while (again) {
    again = false;
    const mails = await takeMails(db(), BATCH).catch((problem) => {
      log.warn({ err: problem }, "cannot look into the outbox");
      return [];
    });
    await Promise.all(mails.map(sendOne));
    if (mails.length === BATCH) again = true;
  }
  // In the same turn as the last look at `again`, so that no call falls in between.
  sending = null;
}

async function sendOne(mail: WaitingMail): Promise<void> {
  const { id, kind, attempts } = mail;
  try {
    const { to, letter } = JSON.parse(unseal(mail.sealed, placeOf(id))) as Content;
    await deliver({ id, to, letter });
    await markSent(db(), id);
    log.info({ mail: id, kind, attempts }, "mail sent");
  } catch (problem) {
    const hopeless = problem instanceof CannotOpen || attempts >= MOST_ATTEMPTS;
    log.warn({ err: problem, mail: id, kind, attempts, givenUp: hopeless }, "a mail could not be sent");
    await quietly(markFailed(db(), id, wordsOf(problem), hopeless ? null : pauseAfter(attempts)));
  }
}

const pauseAfter = (attempts: number): number =>
  Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), LONGEST_PAUSE_SECONDS);

const wordsOf = (problem: unknown): string =>
  (problem instanceof Error ? problem.message : String(problem)).slice(0, 300);

const placeOf = (id: string): string => `mail:${id}`;

const quietly = (work: Promise<void>): Promise<void> =>
  work.catch((problem) => log.warn({ err: problem }, "the outbox could not be written"));
