import { randomUUID } from "node:crypto";
import { publish, subscribe } from "~/bus.server";
import { type Db, db } from "~/db.server";
import { log } from "~/log.server";
import { CannotOpen, seal, unseal } from "~/sealing.server";
import { deliver } from "./deliver.server";
import type { Email } from "./email";
import { insertMail, markFailed, markSent, takeMails, tidyMails, type WaitingMail } from "./store";

/** A mail as it lies in the outbox. */
type Content = { to: string; letter: Email };

const BATCH = 10;
const MAX_ATTEMPTS = 12;
const FIRST_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 3_600;

/**
 * Puts a mail into the outbox, in the transaction of the act that it tells about: it leaves after the commit, is tried again
 * for hours while the mail server is away, and is forgotten when `usefulSeconds` are over. Never waits for a mail server.
 */
export async function post(
  tx: Db,
  mail: { kind: string; to: string; letter: Email; usefulSeconds: number | null },
): Promise<void> {
  const id = randomUUID();
  const content: Content = { to: mail.to, letter: mail.letter };
  const sealed = seal(JSON.stringify(content), associatedData(id));
  await insertMail(tx, { id, kind: mail.kind, sealed, usefulSeconds: mail.usefulSeconds });
  await publish(tx, "mail");
}

let stopListening: (() => void) | null = null;
let sending: Promise<number> | null = null;
let again = false;

/** Sends mails as soon as they are in the outbox. Any number of processes may; each mail is sent by one of them. */
export function startMail(): void {
  stopListening = subscribe("mail", () => {
    sendWaiting().catch((problem) => log.warn({ err: problem }, "cannot look into the outbox"));
  });
}

/** Stops sending, after the mails that are on their way. */
export async function stopMail(): Promise<void> {
  stopListening?.();
  stopListening = null;
  await sending?.catch(() => undefined);
}

/** Removes the content of mails that are of no use any more, and old rows. Safe to repeat. Returns how many it were. */
export const purgeMails = (db: Db): Promise<number> => tidyMails(db);

/**
 * Sends everything whose time has come. Of several calls at once, one works and looks once more at the end. Returns how many
 * mails were tried. @throws what the database answered, when it could not be asked
 */
export function sendWaiting(): Promise<number> {
  again = true;
  sending ??= work();
  return sending;
}

async function work(): Promise<number> {
  let tried = 0;
  try {
    while (again) {
      again = false;
      const mails = await takeMails(db(), BATCH);
      await Promise.all(mails.map(sendOne));
      tried += mails.length;
      if (mails.length === BATCH) again = true;
    }
    return tried;
  } finally {
    // In the same turn as the last look at `again`, so that no call falls in between.
    sending = null;
  }
}

async function sendOne(mail: WaitingMail): Promise<void> {
  const { id, kind, attempts } = mail;
  try {
    const { to, letter: email } = JSON.parse(unseal(mail.sealed, associatedData(id))) as Content;
    await deliver({ id, to, letter: email });
    await markSent(db(), id);
    log.info({ mail: id, kind, attempts }, "mail sent");
  } catch (error) {
    const hopeless = error instanceof CannotOpen || attempts >= MAX_ATTEMPTS;
    log.warn({ err: error, mail: id, kind, attempts, givenUp: hopeless }, "a mail could not be sent");
    await quietly(markFailed(db(), id, wordsOf(error), hopeless ? null : pauseAfter(attempts)));
  }
}

const pauseAfter = (attempts: number): number => Math.min(FIRST_PAUSE_SECONDS * 2 ** (attempts - 1), MAX_PAUSE_SECONDS);

const wordsOf = (problem: unknown): string =>
  (problem instanceof Error ? problem.message : String(problem)).slice(0, 300);

const associatedData = (id: string): string => `mail:${id}`;

const quietly = (work: Promise<void>): Promise<void> =>
  work.catch((problem) => log.warn({ err: problem }, "the outbox could not be written"));
