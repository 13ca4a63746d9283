import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, test as base, type Page } from "@playwright/test";
import pg from "pg";
import { runningEmbeddedDatabase } from "~/database/embedded.server";
import { connection } from "~/db.server";
import { type Mail, nextMail } from "../support/mailbox";
import { addPerson, openSession, type Person, type PersonFields, type Role, type Sql } from "../support/people";

/** A freshly started gw with its own embedded database, as `npm start` runs it. */
export type Portal = {
  url: string;
  setupUrl: string;
  dataDir: string;
  /** Runs SQL on its database. */
  sql: Sql;
  /** A new person of this role, signed in in every page of `context`; admins with the admin view on. */
  signInAs(context: BrowserContext, role: Role, fields?: Omit<PersonFields, "role">): Promise<Person>;
  addPerson(fields?: PersonFields): Promise<Person>;
  /** The next mail to an address; `after`: how many were there before. */
  mail(address: string, after?: number): Promise<Mail>;
};

/** `portal` is one running gw for all tests of a file; `test.use({ portalEnv: { … } })` sets variables for it. */
export const test = base.extend<object, { portal: Portal; portalEnv: Record<string, string> }>({
  portalEnv: [{}, { scope: "worker", option: true }],
  portal: [
    async ({ portalEnv }, use) => {
      const running = await startPortal(portalEnv);
      await use(running);
      await running.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

/** Waits until React has taken over what a selector names. */
export const hydrated = (page: Page, selector: string) =>
  page.waitForFunction(
    (name) => Object.keys(document.querySelector(name) ?? {}).some((own) => own.startsWith("__react")),
    selector,
  );

/** Starts a built gw of its own. */
export async function startPortal(more: Record<string, string> = {}): Promise<Portal & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "gw-e2e-"));
  const port = Number(more.PORT) || (await freePort());
  const url = `http://localhost:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: dataDir,
    GW_SIGNUP: "open",
    GW_PROVIDER_KEYS: "false",
    // Journeys that spend use the sandbox in place of a supplier that costs money.
    GW_SANDBOX_FREE_RPM: "0",
    ...more,
  };
  const child = spawn(process.execPath, ["scripts/start.mjs"], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const setupUrl = await answering(child, url, () => /\bhttp\S+\/setup\/[\w-]{20,}/.exec(output)?.[0]);
  if (setupUrl === null) throw new Error(`gw did not start, or printed no set-up link:\n${output}`);
  const client = new pg.Client(connection(runningEmbeddedDatabase(dataDir) as string));
  client.on("error", () => undefined);
  await client.connect();
  const sql: Sql = async (query, parameters) => (await client.query(query, parameters)).rows;
  return {
    url,
    setupUrl,
    dataDir,
    sql,
    addPerson: (fields) => addPerson(sql, fields),
    mail: (address, after) => nextMail(dataDir, address, after),
    async signInAs(context, role, fields = {}) {
      const person = await addPerson(sql, { ...fields, role });
      await context.addCookies([{ name: "gw_session", value: await openSession(sql, person), url, httpOnly: true }]);
      return person;
    },
    async stop() {
      await client.end();
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function answering(child: ChildProcess, url: string, link: () => string | undefined): Promise<string | null> {
  for (let tries = 0; tries < 400 && child.exitCode === null; tries += 1) {
    const healthy = await fetch(`${url}/health?ready`)
      .then((response) => response.ok)
      .catch(() => false);
    const found = link();
    if (healthy && found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return null;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Where this gw has the script of its plain pages: its name changes with its content. */
export async function enhanceAddress(url: string): Promise<string> {
  const page = await (await fetch(`${url}/login`)).text();
  const [, address] = /src="(\/assets\/enhance-[\w-]+\.js)"/.exec(page) ?? [];
  if (address === undefined) throw new Error("the page names no script");
  return address;
}
