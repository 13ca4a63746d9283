import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import { newSqlClient } from "~/connection/db.server";
import { Accounting, type AccountingOptions } from "~/domain/accounting/accounting";
import type { OneTextQuery } from "~/domain/accounting/link/one-text-query";
import type { HoldRequest, Parties, Settlement } from "~/domain/accounting/shared";
import { setLogLevel } from "~/observe/log.server";
import { openFreshDatabase } from "./database";

/** A fresh database on which a test starts any number of accountings, with a settable clock. */
export type Books = {
  /** URL of the database, under the role that owns it. */
  url: string;
  embedded: boolean;
  dataDir: string;
  /** Starts the accounting of one more process. Its recovery jobs run every `recoveryMs`; by default never. */
  start(options?: Partial<AccountingOptions> & { recoveryMs?: number }): Promise<Accounting>;
  sql<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** The auditor's findings; empty when all is well. */
  defects(): Promise<string[]>;
  /**
   * Makes the database unreachable for all accountings. Existing connections break ("broken"), stay open without
   * executing or answering ("silent"), or execute statements without answering ("deaf"). New connections fail.
   */
  cut(how: "broken" | "silent" | "deaf"): void;
  /**
   * From now on the database executes statements that contain this text, on any connection, but their answers are lost.
   * Returns a function that counts these statements.
   */
  loseAnswersTo(text: string): () => number;
  mend(): void;
  /** Sets the clock of the database and of all accountings; it keeps running from that time. */
  setClock(at: Date): Promise<void>;
  close(): Promise<void>;
};

/** Returns the same statement with handlers that drop its answer. */
const unheard = (statement: OneTextQuery): pg.Submittable => ({
  ...{
    name: statement.name,
    text: statement.text,
    submit: (connection: pg.Connection) => statement.submit(connection),
  },
  ...{ handleDataRow() {}, handleCommandComplete() {}, handleReadyForQuery() {}, handleError() {} },
});

export async function openBooks(): Promise<Books> {
  // These tests cause outages and expired leases on purpose; their log lines would only be noise.
  setLogLevel("silent");
  const database = await openFreshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), "gw-books-"));
  const clients = new Set<pg.Client>();
  const running = new Set<Accounting>();
  const timers: NodeJS.Timeout[] = [];
  let offset = "0";
  let away: "broken" | "silent" | "deaf" | null = null;
  let unanswered = { text: null as string | null, count: 0 };
  const connect = async () => {
    if (away === "broken") throw new Error("connection refused");
    if (away !== null) await new Promise((resolve) => setTimeout(resolve, 1e9).unref());
    const client = await newSqlClient();
    client.on("error", () => clients.delete(client));
    client.on("end", () => clients.delete(client));
    clients.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((...given: [OneTextQuery, ...unknown[]]) => {
      if (unanswered.text === null || !given[0].text?.includes(unanswered.text)) return query(...given);
      unanswered.count += 1;
      return query(unheard(given[0]));
    }) as never;
    await client.query("SELECT set_config('gw.clock_offset', $1, false)", [offset]);
    return client;
  };
  const own = await connect();
  clients.delete(own);
  // As the auditor does: compiling its view takes a hundred times longer than executing it.
  await own.query("SET jit = off");
  const sql = async <Row>(text: string, values: unknown[] = []) => (await own.query(text, values)).rows as Row[];
  return {
    url: database.url,
    embedded: database.embedded,
    dataDir,
    sql,
    async start({ recoveryMs, ...options } = {}) {
      const accounting = new Accounting({
        connect,
        embedded: database.embedded,
        dataDir,
        instance: `test-${randomUUID().slice(0, 8)}`,
        ...options,
      });
      await accounting.start();
      running.add(accounting);
      if (recoveryMs !== undefined) {
        const extend = () => accounting.touchHolds().catch(() => undefined);
        timers.push(setInterval(() => void recoverAll(accounting), recoveryMs));
        timers.push(setInterval(() => void extend(), (options.leaseMs ?? 60_000) / 3));
      }
      return accounting;
    },
    async defects() {
      const rows = await sql<{ defect: string; subject: string; detail: string }>("SELECT * FROM ledger_audit");
      return rows.map(({ defect, subject, detail }) => `${defect} ${subject}: ${detail}`);
    },
    cut(how) {
      away = how;
      for (const client of clients) {
        const query = client.query.bind(client) as (statement: pg.Submittable) => void;
        if (how === "broken") client.connection.stream.destroy();
        else
          client.query = ((statement: OneTextQuery) => {
            if (how === "deaf") query(unheard(statement));
          }) as never;
      }
    },
    loseAnswersTo(text) {
      const lost = { text, count: 0 };
      unanswered = lost;
      return () => lost.count;
    },
    mend() {
      away = null;
      unanswered = { text: null, count: 0 };
    },
    async setClock(at) {
      const [row] = await sql<{ text: string }>(
        "SELECT (extract(epoch FROM $1::timestamptz - clock_timestamp()) * 1000)::bigint || ' milliseconds' AS text",
        [at],
      );
      offset = row!.text;
      await Promise.all(
        [own, ...clients].map((client) => client.query("SELECT set_config('gw.clock_offset', $1, false)", [offset])),
      );
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all([...running].map((accounting) => accounting.stop()));
      await own.end();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Runs all recovery jobs once, each on its own, as the job runner does. */
export async function recoverAll(accounting: Accounting): Promise<void> {
  await accounting.recoverSettlements().catch(() => undefined);
  await accounting.releaseExpiredHolds().catch(() => undefined);
  await accounting.carryToSuccessors().catch(() => undefined);
  await accounting.settleReviewedHolds().catch(() => undefined);
}

/** Creates a wallet of organisation 1 with a balance. */
export async function fundedWallet(
  books: Books,
  amountNanoUsd: bigint,
  options: { organisationId?: number; exempt?: boolean } = {},
): Promise<number> {
  const organisationId = options.organisationId ?? 1;
  const [row] = await books.sql<{ id: number }>("SELECT wallet_open('organisation', $1, $1, $2)::int AS id", [
    organisationId,
    options.exempt ?? false,
  ]);
  if (amountNanoUsd > 0n) {
    await books.sql("SELECT wallet_post($1, 'promo_expense', $2, 'promo_grant', $3, 'test', '')", [
      row!.id,
      amountNanoUsd,
      `grant:${randomUUID()}`,
    ]);
  }
  return row!.id;
}

export async function putBudget(
  books: Books,
  kind: string,
  id: number,
  limitNanoUsd: bigint | null,
  period = "monthly",
): Promise<void> {
  await books.sql("SELECT budget_set(1, $1, $2, $3, $4)", [kind, id, limitNanoUsd, period]);
}

export const someParties = (walletId: number, more: Partial<Parties> = {}): Parties => ({
  keyId: 1,
  userId: null,
  departmentId: null,
  projectId: null,
  organisationId: 1,
  walletId,
  exempt: false,
  ...more,
});

export const aHold = (parties: Parties, amountNanoUsd: bigint, more: Partial<HoldRequest> = {}): HoldRequest => ({
  ...parties,
  callId: randomUUID(),
  amountNanoUsd,
  rateLimitRpm: null,
  priceVersion: 1,
  ...more,
});

export const aSettlement = (
  call: Parties & { callId: string },
  costNanoUsd: bigint,
  more: Partial<Settlement> = {},
): Settlement => ({
  keyId: call.keyId,
  userId: call.userId,
  departmentId: call.departmentId,
  projectId: call.projectId,
  organisationId: call.organisationId,
  walletId: call.walletId,
  exempt: call.exempt,
  callId: call.callId,
  held: true,
  endpoint: "chat/completions",
  requestedModel: "fast-chat",
  model: "fast-chat",
  supplier: "primary",
  region: "eu",
  stream: false,
  sessionId: null,
  inputTokens: 10,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 5,
  reasoningTokens: 0,
  tokenSource: "supplier",
  costNanoUsd,
  priceVersion: 1,
  outcome: "complete",
  status: 200,
  errorCode: null,
  attempts: [],
  startedAt: new Date(),
  firstByteMs: 5,
  latencyMs: 20,
  ...more,
});
