import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { LANGUAGES } from "~/i18n/languages";
import { setLogLevel } from "~/observe/log.server";
import { openFreshDatabase, type TestDatabase } from "../../tests/support/database";
import { startMailServer } from "../../tests/support/mail-server";
import { sendInvite, sendReset, sendVerification } from "./emails.server";
import { sendWaiting } from "./outbox.server";

let database: TestDatabase;
let dataDir: string;
const settings = (more: Record<string, string> = {}) =>
  setConfig({
    ...readConfig({ DATA_DIR: dataDir, GW_SECRET: "a-secret-for-tests-only-0123456789abcdef", ...more }),
  });

beforeAll(async () => {
  setLogLevel("silent");
  database = await openFreshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "gw-mail-"));
  settings();
  await db().mail.deleteMany();
  return () => rmSync(dataDir, { recursive: true, force: true });
});

const TOKEN = "a-token-that-nobody-else-may-read";
const letter = { to: "ada@example.com", name: "Ada", language: "en", brand: "gw" } as const;
const reset = () =>
  sendReset(db(), { ...letter, url: `https://gw.example/reset-password?token=${TOKEN}`, validSeconds: 1_800 });
const files = () => readdirSync(join(dataDir, "mail")).map((name) => readFileSync(join(dataDir, "mail", name), "utf8"));
const row = () => db().mail.findFirstOrThrow();
const dueNow = () => db().mail.updateMany({ data: { nextTryAt: new Date(0) } });

test("without a mail server a mail becomes a file, and the outbox forgets what was in it", async () => {
  await reset();
  expect((await row()).sealed).not.toContain(TOKEN);
  await sendWaiting();
  const [file = ""] = files();
  expect(file).toContain("To: ada@example.com");
  expect(file).toMatch(/^Auto-Submitted: auto-generated/im);
  expect(await row()).toMatchObject({ kind: "reset", sealed: null, attempts: 1, sentAt: expect.any(Date) });
  await sendWaiting();
  expect(files()).toHaveLength(1);
});

test("a mail of an act that is undone never leaves", async () => {
  const undone = inTransaction(db(), async (tx) => {
    await sendReset(tx, { ...letter, url: "https://gw.example/", validSeconds: 60 });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  await sendWaiting();
  expect(await db().mail.count()).toBe(0);
});

test("while the mail server is away a mail is tried again, ever more rarely, and then arrives once", async () => {
  settings({ SMTP_URL: "smtp://127.0.0.1:1" });
  await reset();
  for (const attempts of [1, 2, 3]) {
    await sendWaiting();
    const { nextTryAt, lastError, ...waiting } = await row();
    expect(waiting).toMatchObject({ attempts, sentAt: null, failedAt: null, sealed: expect.any(String) });
    expect(lastError).toContain("ECONNREFUSED");
    expect(lastError).not.toContain(TOKEN);
    const seconds = (nextTryAt.getTime() - Date.now()) / 1_000;
    expect(Math.round(seconds / 15)).toBe(2 ** (attempts - 1));
    await dueNow();
  }
  const server = await startMailServer();
  settings({ SMTP_URL: `smtp://127.0.0.1:${server.port}` });
  await Promise.all([sendWaiting(), sendWaiting()]);
  expect(server.received()).toHaveLength(1);
  expect(server.received()[0]).toContain("/reset-password?token=3D");
  await server.close();
});

test("a mail whose link has ended is not sent any more", async () => {
  await reset();
  await db().mail.updateMany({ data: { uselessAt: new Date(0) } });
  await sendWaiting();
  expect(await row()).toMatchObject({ sentAt: null, attempts: 0 });
});

test.each(LANGUAGES)("emails in %s are whole, and harmless whatever people call themselves", async (language) => {
  const name = `<script>alert(1)</script>\r\nBcc: victim@example.com {{brand}}`;
  const to = { to: "ada@example.com", name, language, brand: "gw" };
  const url = "https://gw.example/invite/abc?x=1&y=2";
  await sendInvite(db(), { ...to, url, organisation: name, invitedBy: name, role: "x", validSeconds: 7 * 86_400 });
  await sendVerification(db(), { ...to, url, validSeconds: 86_400 });
  await sendWaiting();
  for (const source of files()) {
    const head = source.slice(0, source.indexOf("\r\n\r\n"));
    expect(head).not.toMatch(/^bcc:/im);
    const html = source.slice(source.indexOf("text/html"));
    expect(html).not.toContain("<script>alert");
    expect(source).not.toMatch(/\b(?:verify|invite|validDays|validHours)\.\w+/);
  }
});
