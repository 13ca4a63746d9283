import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db, sqlPool } from "~/connection/db.server";
import { openFreshDatabase, type TestDatabase } from "../../../tests/support/database";
import { exportAuditLog, readAuditLog } from "./index.server";
import type { AuditFilter } from "./shared";

let database: TestDatabase;
let organisationId: number;
let keys: { id: number; publicId: string }[];

beforeAll(async () => {
  database = await openFreshDatabase();
  organisationId = (await db().organisation.create({ data: { name: "Home", slug: "home" } })).id;
  const other = (await db().organisation.create({ data: { name: "Other", slug: "other" } })).id;
  keys = await Promise.all([aKey(organisationId, "a"), aKey(organisationId, "b"), aKey(other, "c")]);
  for (let i = 0; i < 5; i += 1) await aCall(keys[i % 2]!.id, organisationId, { model: `model-${i}`, day: i + 1 });
  await aCall(keys[2]!.id, other, { model: "foreign", day: 1 });
});
afterAll(() => database.close());

const aKey = (organisation: number, name: string) =>
  db().apiKey.create({
    data: {
      publicId: `key_${name}`,
      organisationId: organisation,
      name,
      secretHmac: new Uint8Array(Buffer.from(name)),
      secretPrefix: "gw_",
      secretLast4: "",
    },
  });

const aCall = (keyId: number, organisation: number, { model, day }: { model: string; day: number }) =>
  sqlPool().query(
    `INSERT INTO usage_event (request_id, organisation_id, key_id, wallet_id, exempt, held, endpoint, requested_model, model, supplier, region,
       stream, session_id, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, token_source, outcome, cost,
       charged, price_version, status, attempts, started_at, latency_ms, settled_at)
     VALUES ($1, $2, $3, 1, true, false, 'chat', 'auto', $4, 'primary', 'ASIA-I', false, null, 10, 1, 0, 5, 2, 'supplier', 'complete', 0,
       0, 1, 200, '[{},{}]', $5, 123, now())`,
    [randomUUID(), organisation, keyId, model, `2026-01-0${day}T00:00:00Z`],
  );

const all = (fields: Partial<AuditFilter> = {}): AuditFilter => ({
  organisationId,
  keyId: null,
  model: null,
  supplier: null,
  region: null,
  since: null,
  until: null,
  ...fields,
});
const modelsOf = async (fields: Partial<AuditFilter>) =>
  (await readAuditLog(db(), all(fields), { beforeId: null, limit: 100 })).entries.map(({ model }) => model);

test("an entry says who, what, where and how much", async () => {
  const { entries } = await readAuditLog(db(), all({ model: "model-4" }), { beforeId: null, limit: 10 });
  expect(entries).toEqual([
    expect.objectContaining({
      keyId: "key_a",
      requestedModel: "auto",
      model: "model-4",
      supplier: "primary",
      region: "ASIA-I",
      startedAt: new Date("2026-01-05T00:00:00Z"),
      inputTokens: 10,
      outputTokens: 5,
      chargedNanoUsd: 0n,
      attempts: 2,
      latencyMs: 123,
      errorCode: null,
    }),
  ]);
});

test("only the organisation's own calls are there, newest first", async () => {
  expect(await modelsOf({})).toEqual(["model-4", "model-3", "model-2", "model-1", "model-0"]);
});

test("every filter restricts, and a foreign key matches nothing", async () => {
  expect(await modelsOf({ keyId: "key_b" })).toEqual(["model-3", "model-1"]);
  expect(await modelsOf({ keyId: "key_c" })).toEqual([]);
  expect(await modelsOf({ supplier: "second" })).toEqual([]);
  expect(await modelsOf({ region: "us" })).toEqual([]);
  // In a Turkish database the lower case of I is ı.
  for (const region of ["asia-i", "Asia-I", "ASIA-I"]) expect(await modelsOf({ region })).toHaveLength(5);
  expect(await modelsOf({ since: new Date("2026-01-02T00:00:00Z"), until: new Date("2026-01-04T00:00:00Z") })).toEqual([
    "model-2",
    "model-1",
  ]);
});

test("pages and files hold every call once", async () => {
  const first = await readAuditLog(db(), all(), { beforeId: null, limit: 3 });
  const second = await readAuditLog(db(), all(), { beforeId: first.nextBeforeId, limit: 3 });
  expect([...first.entries, ...second.entries].map(({ model }) => model)).toEqual(await modelsOf({}));
  expect(second.nextBeforeId).toBeNull();
  const sizes: number[] = [];
  for await (const page of exportAuditLog(db(), all(), { beforeId: null, limit: 4 })) sizes.push(page.length);
  expect(sizes).toEqual([4]);
});
