// Processor time of this process per admission and settlement, 32 calls at a time, on a dedicated PostgreSQL.
// node scripts/bench-accounting.mjs postgresql://user:password@host/postgres [pairs]
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import pg from "pg";
import { build } from "vite";
import { withModules } from "./load-module.mjs";
import { NEWEST_FUNCTIONS } from "./newest-functions.mjs";

const [serverUrl = process.env.TEST_DATABASE_URL, pairsText = "40000"] = process.argv.slice(2);
if (!serverUrl) throw new Error("name a PostgreSQL server, or set TEST_DATABASE_URL");
const PAIRS = Number(pairsText);
const CONCURRENT = 32;

const root = fileURLToPath(new URL("..", import.meta.url));
// Inside the project, so that the bundle can resolve its packages.
mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
const folder = mkdtempSync(join(root, "node_modules/.cache/bench-"));
const dataDir = mkdtempSync(join(tmpdir(), "gw-bench-"));
const name = `gw_bench_${process.pid}`;
const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;

const onServer = async (address, ...statements) => {
  const client = new pg.Client(address);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
};

try {
  await build({
    configFile: false,
    root,
    logLevel: "error",
    resolve: { alias: { "~": join(root, "app") } },
    build: { ssr: "app/domain/accounting/accounting.ts", outDir: folder, target: "node20", emptyOutDir: false },
  });
  const { Accounting } = await import(pathToFileURL(join(folder, "accounting.js")).href);
  await onServer(serverUrl, `CREATE DATABASE ${name}`);
  await withModules(async (load) => {
    const { migrate } = await load("app/database/schema/migrate.server.ts");
    await migrate({ url, embedded: false });
  });
  await onServer(
    url,
    NEWEST_FUNCTIONS,
    "SELECT wallet_open('organisation', 1, 1, false)",
    "SELECT wallet_post(id, 'promo_expense', 1000000000000, 'promo_grant', 'bench', 'bench', '') FROM ledger_account WHERE kind = 'wallet'",
    "SELECT budget_set(1, 'key', 1, 900000000000, 'monthly'), budget_set(1, 'organisation', 1, NULL, 'monthly')",
  );
  const wallet = await walletOf(url);
  const accounting = new Accounting({
    embedded: false,
    dataDir,
    instance: "bench",
    connect: async () => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(NEWEST_FUNCTIONS);
      return client;
    },
  });
  await accounting.start();
  for (const rateLimitRpm of [null, 1_000_000]) {
    await run(accounting, wallet, rateLimitRpm, PAIRS / 4);
    const cpu = process.cpuUsage();
    const began = performance.now();
    await run(accounting, wallet, rateLimitRpm, PAIRS);
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (performance.now() - began) / 1000;
    const perPair = (user + system) / PAIRS;
    console.log(
      `${rateLimitRpm === null ? "budgets and wallet" : "and a rate window"}: ${perPair.toFixed(1)} µs of CPU a pair (${(user / PAIRS).toFixed(1)} user), ${Math.round(PAIRS / seconds)} pairs/s`,
    );
  }
  await accounting.stop();
} finally {
  await onServer(serverUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  rmSync(folder, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

async function walletOf(address) {
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await client.query("SELECT id::int FROM ledger_account WHERE kind = 'wallet'");
  await client.end();
  return rows[0].id;
}

async function run(accounting, walletId, rateLimitRpm, pairs) {
  let left = pairs;
  const parties = {
    keyId: 1,
    userId: null,
    departmentId: null,
    projectId: null,
    organisationId: 1,
    walletId,
    exempt: false,
  };
  const worker = async () => {
    while (left-- > 0) {
      const callId = randomUUID();
      const verdict = await accounting.admit({
        ...parties,
        callId,
        amountNanoUsd: 50_000n,
        rateLimitRpm,
        priceVersion: 1,
      });
      if (verdict.kind !== "held") throw new Error(JSON.stringify(verdict));
      const receipt = await accounting.settle({
        // No spread: a large literal that begins with one costs 40 µs.
        keyId: 1,
        userId: null,
        departmentId: null,
        projectId: null,
        organisationId: 1,
        walletId,
        exempt: false,
        callId,
        held: true,
        endpoint: "chat/completions",
        requestedModel: "fast-chat",
        model: "fast-chat",
        supplier: "primary",
        region: "eu",
        stream: false,
        sessionId: null,
        inputTokens: 120,
        cachedInputTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 34,
        reasoningTokens: 0,
        tokenSource: "supplier",
        costNanoUsd: 12_345n,
        priceVersion: 1,
        outcome: "complete",
        status: 200,
        errorCode: null,
        attempts: [
          {
            supplier: "primary",
            region: "eu",
            upstreamModel: "gpt-x",
            startedMs: 1,
            endedMs: 120,
            outcome: "delivered",
            status: 200,
            code: null,
          },
        ],
        startedAt: new Date(),
        firstByteMs: 50,
        latencyMs: 120,
      });
      if (receipt.chargedNanoUsd !== 12_345n) throw new Error(String(receipt.chargedNanoUsd));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, worker));
}
