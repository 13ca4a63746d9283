import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type AgentGateway,
  agentCatalogue,
  type Pool,
  startAgentGateway,
  tokenName,
} from "../../support/agent-gateway";
import { type AgentSupplier, startAgentSupplier } from "../../support/agent-supplier";
import { eventually, expectCleanBooks, pause } from "../../support/chat-gateway";
import { freshDatabase, freshDataDir, type TestDatabase } from "../../support/database";

let supplier: AgentSupplier;
let opened: AgentGateway[];
beforeEach(async () => {
  supplier = await startAgentSupplier();
  opened = [];
});
afterEach(async () => {
  for (const gateway of opened.reverse()) await gateway.close();
  await supplier.close();
});

async function open(pool: Pool, options: Parameters<typeof startAgentGateway>[1] = {}): Promise<AgentGateway> {
  const gateway = await startAgentGateway(pool, { supplier, ...options });
  opened.push(gateway);
  return gateway;
}

/** Sends `count` calls, `atOnce` concurrently. Returns the statuses and the token of each. */
async function calls(
  gateway: AgentGateway,
  count: number,
  { atOnce = 10, body = {}, headers = (_index: number) => ({}) } = {},
) {
  const statuses: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        next += 1;
        const response = await gateway.respond(
          { prompt_cache_key: undefined, input: [{ role: "user", content: `call ${next}` }], ...body },
          { headers: headers(next) },
        );
        await response.text();
        statuses.push(response.status);
      }
    }),
  );
  return statuses;
}

const past = () => new Date(Date.now() - 60_000).toISOString();
const events = async (gateway: AgentGateway, kind: string) =>
  gateway.sql("SELECT key_name, kind, source, error_kind, detail, count FROM token_event WHERE kind = $1 ORDER BY id", [
    kind,
  ]);

describe("20 tokens, two of them bad", () => {
  test("no client sees an error, the others share the work evenly, and the log says what was wrong", async () => {
    const gateway = await open({ count: 20, fixed: true });
    const bad = new Map([
      [`access-${tokenName(3)}`, { status: 401, body: { error: { code: "token_expired", message: "no" } } }],
      [`access-${tokenName(4)}`, { status: 429, headers: { "retry-after": "30" } }],
    ]);
    supplier.answer(({ token }) => bad.get(token));
    const statuses = await calls(gateway, 180);
    expect(statuses).toEqual(Array.from({ length: 180 }, () => 200));
    const counts = new Map<string, number>();
    for (const { token } of supplier.calls) counts.set(token, (counts.get(token) ?? 0) + 1);
    expect(counts.size).toBe(20);
    for (const [token, count] of counts) {
      // Concurrent calls may use a bad token before gw has noticed.
      if (bad.has(token)) expect(count).toBeLessThanOrEqual(3);
      else expect(count).toBeGreaterThanOrEqual(8);
      expect(count).toBeLessThanOrEqual(13);
    }
    await eventually(
      () => events(gateway, "cooled"),
      (rows) => rows.length >= 2,
    );
    const cooled = (await events(gateway, "cooled")).map(({ key_name, error_kind }) => [key_name, error_kind]);
    expect(cooled.toSorted()).toEqual([
      [tokenName(3), "refused"],
      [tokenName(4), "limited"],
    ]);
    const errors = (await events(gateway, "used_error")).map(({ key_name, error_kind }) => `${key_name} ${error_kind}`);
    expect(new Set(errors)).toEqual(new Set([`${tokenName(3)} 401`, `${tokenName(4)} 429`]));
    await expectCleanBooks(gateway);
  });

  test("a session stays with its token", async () => {
    const gateway = await open({ count: 20, fixed: true });
    await calls(gateway, 24, { atOnce: 3, headers: () => ({ "session-id": "one conversation" }) });
    expect(new Set(supplier.calls.map(({ token }) => token)).size).toBe(1);
  });

  test("the last usable one is never cooled away", async () => {
    const gateway = await open({ count: 1, fixed: true });
    supplier.answer(() => ({ status: 429, headers: { "retry-after": "60" } }));
    expect(await calls(gateway, 3, { atOnce: 1 })).toEqual([429, 429, 429]);
    supplier.answer(() => undefined);
    expect(await calls(gateway, 1, { atOnce: 1 })).toEqual([200]);
    await eventually(
      () => events(gateway, "recovered"),
      (rows) => rows.length > 0,
    );
    expect(await events(gateway, "recovered")).toMatchObject([{ key_name: tokenName(0), source: "traffic" }]);
  });
});

describe("tokens that are over", () => {
  test("are renewed once each, whatever the concurrency and the number of processes", async () => {
    supplier.renewalMs = 150;
    const database = await freshDatabase();
    try {
      const pool = { count: 3, expiresAt: past };
      // Only one process can use an embedded database.
      const shared = database.embedded ? {} : { database };
      const gateways = [await open(pool, shared)];
      if (!database.embedded) {
        const adminKey = gateways[0]!.adminKey;
        gateways.push(await open(pool, { ...shared, adminKey }), await open(pool, { ...shared, adminKey }));
      }
      const statuses = await Promise.all(gateways.map((gateway) => calls(gateway, 40, { atOnce: 20 })));
      expect(new Set(statuses.flat())).toEqual(new Set([200]));
      expect(supplier.renewals.map(({ refreshToken }) => refreshToken).toSorted()).toEqual(
        [0, 1, 2].map((index) => `refresh-${tokenName(index)}`),
      );
      expect(new Set(supplier.calls.map(({ token }) => token))).toEqual(
        new Set([0, 1, 2].map((index) => `access-${tokenName(index)}#1`)),
      );
      for (const gateway of opened.splice(0).reverse()) await gateway.close();
    } finally {
      await database.close();
    }
  });

  test("and cannot be renewed leave the work to the others", async () => {
    supplier.renew((refreshToken) =>
      refreshToken === `refresh-${tokenName(0)}` ? { status: 400, body: { error: "invalid_grant" } } : undefined,
    );
    const gateway = await open({ count: 3, expiresAt: past });
    expect(new Set(await calls(gateway, 30))).toEqual(new Set([200]));
    await eventually(
      () => events(gateway, "revoked"),
      (rows) => rows.length > 0,
    );
    expect(await events(gateway, "revoked")).toMatchObject([
      { key_name: tokenName(0), source: "refresh", error_kind: "invalid_grant" },
    ]);
    expect(supplier.renewals.filter(({ refreshToken }) => refreshToken === `refresh-${tokenName(0)}`)).toHaveLength(1);
  });

  test("and are all there is, are told as gw's own trouble", async () => {
    supplier.renew(() => ({
      status: 400,
      body: { error: "invalid_grant", error_description: "refresh-secret was revoked" },
    }));
    const gateway = await open({ count: 1, expiresAt: past });
    const response = await gateway.respond();
    const text = await response.text();
    expect([response.status, JSON.parse(text).error.code]).toEqual([502, "vendorb_token_error"]);
    expect(text).not.toContain("refresh-secret");
    expect(supplier.calls).toEqual([]);
    const [row] = await eventually(
      () => gateway.sql("SELECT state, refreshed_at FROM supplier_credential WHERE name = $1", [tokenName(0)]),
      (rows) => rows[0]?.state === "revoked",
    );
    expect(row).toMatchObject({ state: "revoked" });
  });
});

test("a token that the supplier refuses before its time is renewed, and the client notices nothing", async () => {
  supplier.valid.add("access-of-nobody");
  const gateway = await open({ count: 1 });
  expect(await calls(gateway, 6, { atOnce: 6 })).toEqual([200, 200, 200, 200, 200, 200]);
  expect(supplier.renewals).toEqual([{ refreshToken: `refresh-${tokenName(0)}`, clientId: "client-1" }]);
});

test("a token with a short life is renewed ahead of its end, without a call that wants it", async () => {
  supplier.lifeSeconds = 3;
  const gateway = await open({ count: 1, expiresAt: past });
  await calls(gateway, 1);
  const until = Date.now() + 20_000;
  while (supplier.renewals.length < 2 && Date.now() < until) await pause(200);
  expect(supplier.renewals.length).toBeGreaterThanOrEqual(2);
  expect(supplier.calls).toHaveLength(1);
});

describe("at a restart", () => {
  const restart = async (gateway: AgentGateway, file: object, env: Record<string, string> = {}) => {
    await gateway.kill("SIGTERM");
    opened.splice(opened.indexOf(gateway), 1);
    return open(
      { count: 1 },
      { config: file, dataDir: gateway.dataDir, adminKey: gateway.adminKey, database: databases.get(gateway), env },
    );
  };
  const databases = new Map<AgentGateway, TestDatabase>();
  const kept = async (pool: Pool, env: Record<string, string> = {}) => {
    const database = await freshDatabase();
    const dataDir = freshDataDir() ?? undefined;
    const gateway = await open(pool, { database, dataDir, env });
    databases.set(gateway, database);
    return { gateway, database };
  };
  const filed = (more: object = {}) => {
    const file = agentCatalogue(supplier, { count: 1, expiresAt: past }) as { suppliers: { credentials: object[] }[] };
    Object.assign(file.suppliers[0]!.credentials[0]!, more);
    return file;
  };

  test("newer tokens of the database win over the file's, unless the file brings another refresh token", async () => {
    const { gateway, database } = await kept({ count: 1, expiresAt: past });
    try {
      await calls(gateway, 1);
      databases.set(gateway, database);
      const second = await restart(gateway, filed());
      databases.set(second, database);
      await calls(second, 1);
      expect(supplier.calls.map(({ token }) => token)).toEqual([
        `access-${tokenName(0)}#1`,
        `access-${tokenName(0)}#1`,
      ]);
      expect(supplier.renewals).toHaveLength(1);
      const third = await restart(second, filed({ refresh_token: "refresh-new", access_token: "access-new" }));
      await calls(third, 1);
      expect(supplier.calls.at(-1)!.token).toBe("access-new#1");
      expect(supplier.renewals.at(-1)!.refreshToken).toBe("refresh-new");
      for (const last of opened.splice(0)) await last.close();
    } finally {
      await database.close();
    }
  });

  test("secrets are carried over to a new GW_SECRET, and the old one can be taken away", async () => {
    const [old, fresh] = ["an-old-secret-for-tests-0123456789abcdef", "a-new-secret-for-tests-0123456789abcdef!"];
    const { gateway, database } = await kept({ count: 1, expiresAt: past }, { GW_SECRET: old });
    try {
      await calls(gateway, 1);
      const marks = async (of: AgentGateway) =>
        (await of.sql("SELECT DISTINCT split_part(sealed_token, '.', 2) AS mark FROM supplier_credential")).map(
          ({ mark }) => mark,
        );
      const before = await marks(gateway);
      const both = await restart(gateway, filed(), { GW_SECRET: `${fresh},${old}` });
      databases.set(both, database);
      const after = await marks(both);
      expect(after).toHaveLength(1);
      expect(after).not.toEqual(before);
      const last = await restart(both, filed(), { GW_SECRET: fresh });
      const { key } = await last.createKey();
      const response = await last.respond({}, { key });
      await response.text();
      expect(response.status).toBe(200);
      expect(supplier.calls.at(-1)!.token).toBe(`access-${tokenName(0)}#1`);
      expect(supplier.renewals).toHaveLength(1);
      for (const each of opened.splice(0)) await each.close();
    } finally {
      await database.close();
    }
  });
});

test("no credential is in the database in the clear, nor in the log", async () => {
  supplier.renew((refreshToken) =>
    refreshToken.endsWith("01")
      ? { status: 400, body: { error: "invalid_grant", error_description: refreshToken } }
      : undefined,
  );
  const gateway = await open({ count: 3, expiresAt: past }, { env: { LOG_LEVEL: "trace" } });
  supplier.answer(({ token }) =>
    token.includes("02")
      ? { status: 401, body: { error: { code: "token_expired", message: `${token} is over` } } }
      : undefined,
  );
  await calls(gateway, 12);
  await gateway.respond({ model: "chatty" });
  await pause(800);
  const secrets = [
    ...new Set([
      ...supplier.calls.map(({ token }) => token),
      ...supplier.renewals.map(({ refreshToken }) => refreshToken),
      "sk-chat",
      "access-only",
    ]),
  ];
  expect(secrets.length).toBeGreaterThan(5);
  const tables = await gateway.sql(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
  );
  expect(tables.length).toBeGreaterThan(20);
  for (const { name } of tables) {
    const [{ text }] = await gateway.sql(`SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM ${name} t`);
    for (const secret of secrets) {
      const bytes = Buffer.from(secret);
      for (const form of [
        secret,
        bytes.toString("hex"),
        bytes.toString("base64url"),
        bytes.toString("base64").replace(/=+$/, ""),
      ])
        expect(text.includes(form), `${secret} in ${name}`).toBe(false);
    }
  }
  const log = gateway.output();
  expect(log.length).toBeGreaterThan(500);
  for (const secret of secrets) expect(log).not.toContain(secret);
});
