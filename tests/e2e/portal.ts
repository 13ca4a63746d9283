import { type ChildProcess, spawn } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, test as base, type Page } from "@playwright/test";
import pg from "pg";
import { connection } from "~/connection/db.server";
import { runningEmbeddedDatabase } from "~/database/embedded/embedded.server";
import { NEWEST_FUNCTIONS } from "../../scripts/newest-functions.mjs";
import { type Mail, nextMail } from "../support/mailbox";
import { addPerson, openSession, type Person, type PersonFields, type Role, type Sql } from "../support/people";

/** A gw as `npm start` runs it, with its own migrated, empty embedded database. */
export type Portal = {
  url: string;
  setupUrl: string;
  dataDir: string;
  /** Runs SQL on its database. */
  sql: Sql;
  /** Creates a person of this role and signs them in on every page of `context`; for admins the admin view is on. */
  signInAs(context: BrowserContext, role: Role, fields?: Omit<PersonFields, "role">): Promise<Person>;
  addPerson(fields?: PersonFields): Promise<Person>;
  /** Waits for the next email to an address; `after`: number of earlier emails. */
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

/** Waits until React has hydrated the element of a selector. */
export const hydrated = (page: Page, selector: string) =>
  page.waitForFunction(
    (name) => Object.keys(document.querySelector(name) ?? {}).some((own) => own.startsWith("__react")),
    selector,
  );

/** Starts a separate built gw. */
export async function startPortal(more: Record<string, string> = {}): Promise<Portal & { stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), "gw-e2e-"));
  await cp(join(process.env.TEST_DATABASE_TEMPLATE ?? "", "database"), join(dataDir, "database"), { recursive: true });
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
    // The sandbox represents a supplier that costs money.
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
  await client.query(NEWEST_FUNCTIONS);
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

/** Returns a port that was free when it was checked. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Returns the address of the script of plain pages, whose name changes with its content. */
export async function enhanceAddress(url: string): Promise<string> {
  const page = await (await fetch(`${url}/login`)).text();
  const [, address] = /src="(\/assets\/enhance-[\w-]+\.js)"/.exec(page) ?? [];
  if (address === undefined) throw new Error("the page names no script");
  return address;
}
