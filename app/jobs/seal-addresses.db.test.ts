import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { readWebhook, saveWebhook } from "~/domain/budgets/index.server";
import { changeOrganisationGuardrailWebhook, readOrganisationGuardrails } from "~/domain/organisations/index.server";
import { anActor, anOrganisation } from "../../tests/support/administered";
import { openFreshDatabase, type TestDatabase } from "../../tests/support/database";
import { sealAddresses } from "./seal-addresses";

const URL_1 = "https://hooks.example.com/secret-path?token=t1";
let database: TestDatabase;
let organisationId: number;
let admin: Awaited<ReturnType<typeof anActor>>;

beforeAll(async () => {
  database = await openFreshDatabase();
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef", DATABASE_URL: "postgresql://x" }));
  ({ id: organisationId } = await anOrganisation());
  admin = await anActor(organisationId, "org_admin");
});
afterAll(() => database.close());

/** Makes the database look like an installation that was upgraded to sealed addresses this many hours ago. */
const upgraded = (hoursAgo: number) =>
  db().$executeRaw`
    UPDATE _prisma_migrations SET finished_at = CASE WHEN migration_name = '20261128040000_sealed_addresses'
      THEN now() - make_interval(hours => ${hoursAgo}::int) ELSE now() - interval '90 days' END`;

const save = async () => {
  await saveWebhook(db(), admin, URL_1);
  const change = { kind: "save", url: URL_1, timeoutMs: 1_000, onFailure: "refuse" } as const;
  await changeOrganisationGuardrailWebhook(db(), admin, organisationId, change);
};

const stored = async () =>
  JSON.stringify([
    await db().$queryRaw`SELECT url FROM alert_webhook`,
    await db().$queryRaw`SELECT guardrail_webhook FROM organisation`,
    await db().$queryRaw`SELECT guardrail_webhook FROM api_key`,
  ]);
const addresses = async () => [
  (await readWebhook(db(), admin))?.url,
  (await readOrganisationGuardrails(db(), admin, organisationId)).webhook?.url,
];

test("while processes of the release before may run, addresses stay as these read them", async () => {
  await upgraded(1);
  await save();
  expect(await sealAddresses()).toBe(0);
  expect((await stored()).match(/secret-path/g)).toHaveLength(2);
  expect(await addresses()).toEqual([URL_1, URL_1]);
});

test("a day after the upgrade, stored addresses are sealed once, those of keys too", async () => {
  const [organisation] = await db().$queryRaw<{ webhook: object }[]>`
    SELECT guardrail_webhook AS webhook FROM organisation WHERE id = ${organisationId}`;
  await db().apiKey.create({
    data: {
      ...{ publicId: "key_1", organisationId, name: "key", secretHmac: Buffer.from("1"), secretPrefix: "gw" },
      ...{ secretLast4: "0000", guardrailWebhook: organisation!.webhook },
    },
  });
  await upgraded(25);
  expect(await sealAddresses()).toBe(3);
  expect(await sealAddresses()).toBe(0);
  expect(await stored()).not.toMatch(/hooks\.example|secret-path/);
  expect(await addresses()).toEqual([URL_1, URL_1]);
});

test("an address that is saved is sealed at once, in a new installation too", async () => {
  for (const hours of [25, 90 * 24]) {
    await upgraded(hours);
    await db().$executeRaw`DELETE FROM alert_webhook`;
    await save();
    expect(await stored()).not.toMatch(/hooks\.example|secret-path/);
    expect(await addresses()).toEqual([URL_1, URL_1]);
  }
});
