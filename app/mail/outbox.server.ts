import { randomUUID } from "node:crypto";
import { publish, subscribe } from "~/connection/bus.server";
import { type Db, db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { CannotOpen, seal, unseal } from "~/sealing/sealing.server";
import { deliver } from "./deliver.server";
import type { Email } from "./email";
import { insertMail, markFailed, markSent, takeMails, tidyMails, type WaitingMail } from "./store";

/** Content of an email in the outbox. */
type Content = { to: string; letter: Email };

const BATCH = 10;
const MAX_ATTEMPTS = 12;
const FIRST_PAUSE_SECONDS = 15;
const MAX_PAUSE_SECONDS = 3_600;

/**
 * Adds an email to the outbox, in the transaction of the change that it reports. It is sent after the commit, retried
 * for hours while the mail server is unreachable, and dropped after `usefulSeconds`. Never waits for a mail server.
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

/**
 * Starts sending emails as soon as they are in the outbox. Several processes may run this; one of them sends each
 * email.
 */
export function startMail(): void {
  stopListening = subscribe("mail", () => {
    sendWaiting().catch((error) => log.warn({ err: error }, "cannot look into the outbox"));
  });
}

/** Stops sending, after the emails in progress. */
export async function stopMail(): Promise<void> {
  stopListening?.();
  stopListening = null;
  await sending?.catch(() => undefined);
}

/** Removes the content of expired emails, and deletes old rows. Safe to repeat. Returns their number. */
export const purgeMails = (db: Db): Promise<number> => tidyMails(db);

/**
 * Sends all emails that are due. Of concurrent calls one does the work, and checks again at the end. Returns the number
 * of attempts. @throws the database's error
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
    // In the same tick as the last check of `again`, so that no call is missed in between.
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

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);

const associatedData = (id: string): string => `mail:${id}`;

const quietly = (work: Promise<void>): Promise<void> =>
  work.catch((error) => log.warn({ err: error }, "the outbox could not be written"));
