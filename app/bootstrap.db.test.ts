import { afterEach, beforeEach, expect, test } from "vitest";
import { openFreshDatabase, type TestDatabase } from "../tests/support/database";
import { bootstrap } from "./bootstrap.server";
import { type Config, readConfig, setConfig } from "./config.server";
import { db } from "./connection/db.server";
import { isSetupLinkUsable, verifyPassword } from "./domain/accounts/index.server";
import { applyConfigFile, loadCatalogue, readCatalogueFile } from "./domain/catalogue/index.server";
import { verifyKey } from "./domain/keys/index.server";

const KEY = /gw_[0-9A-Za-z]{49}/g;
let database: TestDatabase;

beforeEach(async () => {
  database = await openFreshDatabase();
});
afterEach(() => database.close());

function settingsWith(variables: Record<string, string> = {}): Config {
  const settings = readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef", ...variables });
  setConfig(settings);
  return settings;
}

test("the first start makes an organisation, its wallet, its owner and two keys, and shows how to go on", async () => {
  await applyConfigFile(db(), null);
  await loadCatalogue();
  const { startupBanner: greeting } = await bootstrap(settingsWith({ PORT: "4000" }));
  const [rootKey, firstKey] = greeting.match(KEY) ?? [];
  expect(await verifyKey(rootKey!)).toMatchObject({ kind: "admin", exempt: true, allowedModels: [] });
  expect(await verifyKey(firstKey!)).toMatchObject({ kind: "inference", exempt: true, limited: false });
  expect(greeting).toMatch(/http:\/\/localhost:4000\/setup\/[\w-]{43}\n/);
  expect(greeting).toContain(
    "\nSign-up: by invitation (no payment processor is configured; GW_SIGNUP=open opens it)\n",
  );
  expect(greeting).toContain(
    `curl http://localhost:4000/v1/chat/completions \\\n    -H "Authorization: Bearer ${firstKey}"`,
  );
  expect(greeting).toContain('"model":"sandbox-chat"');
  expect(await db().organisation.findMany({ select: { name: true, billingExempt: true } })).toEqual([
    { name: "Home", billingExempt: true },
  ]);
  expect(await db().user.findMany({ select: { role: true, passwordHash: true } })).toEqual([
    { role: "owner", passwordHash: null },
  ]);
});

test("a later start makes nothing and shows no key, but renews the link of an owner without a password", async () => {
  const first = await bootstrap(settingsWith());
  await db().$executeRaw`UPDATE one_time_token SET created_at = created_at - interval '2 minutes'`;
  const second = await bootstrap(settingsWith());
  const linkOf = (greeting: string) => /setup\/(\S+)/.exec(greeting)?.[1];
  expect(second.startupBanner.match(KEY)).toBeNull();
  expect(linkOf(second.startupBanner)).toBeDefined();
  expect(linkOf(second.startupBanner)).not.toBe(linkOf(first.startupBanner));
  expect(await db().apiKey.count()).toBe(2);
  expect(await db().oneTimeToken.count({ where: { usedAt: null } })).toBe(1);
});

test("owner and root key come from the settings, and neither is shown", async () => {
  const rootKey = `gw_${"k".repeat(49)}`;
  const variables = {
    GW_OWNER_EMAIL: "Ann@Example.com",
    GW_OWNER_PASSWORD: "a good long password",
    GW_ROOT_ADMIN_KEY: rootKey,
    GW_ORGANISATION_NAME: "Ann's",
  };
  const { startupBanner: greeting } = await bootstrap(settingsWith(variables));
  expect(greeting).not.toContain(rootKey);
  expect(greeting).not.toContain("/setup/");
  expect(await verifyKey(rootKey)).toMatchObject({ kind: "admin" });
  const owner = await db().user.findFirstOrThrow();
  expect(owner).toMatchObject({ email: "ann@example.com", role: "owner" });
  expect(owner.emailVerifiedAt && owner.termsAcceptedAt).toBeInstanceOf(Date);
  expect(await verifyPassword(owner.passwordHash, "a good long password")).toBe(true);
});

test("without a chat model the first start says so, and shows the key without a call", async () => {
  await applyConfigFile(db(), { suppliers: [], models: [] });
  await loadCatalogue();
  const { startupBanner: greeting } = await bootstrap(settingsWith());
  expect(greeting).toContain("There is no chat model yet.");
  expect(greeting.match(KEY)).toHaveLength(2);
  expect(greeting).not.toContain("curl");
});

test("the call to try first is one that chat completions can reach", async () => {
  const text = `
suppliers:
  - { name: agents, kind: native_agent, base_url: "https://agents.example/v1", region: eu, credentials: [{ name: a, api_key: x }] }
  - { name: chats, kind: chat, base_url: "https://chats.example/v1", region: eu, credentials: [{ name: a, api_key: x }] }
models:
  - { id: agent, capability: chat, context_tokens: 1000, max_output_tokens: 100, routes: [{ supplier: agents, upstream_model: a, price: { input_per_mtok: 1, output_per_mtok: 2 } }] }
  - { id: talk, capability: chat, context_tokens: 1000, max_output_tokens: 100, routes: [{ supplier: chats, upstream_model: b, price: { input_per_mtok: 1, output_per_mtok: 2 } }] }
`;
  await applyConfigFile(db(), readCatalogueFile({ name: "gw.config.yaml", text, variable: () => undefined }));
  await loadCatalogue();
  expect((await bootstrap(settingsWith())).startupBanner).toContain('"model":"talk"');
});

test("processes that start together make one of each", async () => {
  const settings = settingsWith();
  const greetings = await Promise.all([1, 2, 3].map(() => bootstrap(settings)));
  expect(greetings.filter(({ startupBanner: greeting }) => greeting.match(KEY) !== null)).toHaveLength(1);
  const links = greetings.flatMap(({ startupBanner: greeting }) => /setup\/(\S+)/.exec(greeting)?.[1] ?? []);
  expect(await Promise.all(links.map((link) => isSetupLinkUsable(db(), link)))).toEqual(
    database.embedded ? expect.arrayContaining([true]) : [true],
  );
  expect(await db().organisation.count()).toBe(1);
  expect(await db().user.count()).toBe(1);
  expect(await db().apiKey.count()).toBe(2);
});

test("the call to try first is not the first of the alphabet, but the cheapest that answers", async () => {
  const route = (dollars: number) =>
    `[{ supplier: chats, upstream_model: b, price: { input_per_mtok: ${dollars}, output_per_mtok: ${dollars} } }]`;
  const text = `
suppliers:
  - { name: chats, kind: chat, base_url: "https://chats.example/v1", region: eu, credentials: [{ name: a, api_key: x }] }
models:
  - { id: a-dear, capability: chat, context_tokens: 1000, max_output_tokens: 100, routes: ${route(75)} }
  - { id: b-reserved, capability: chat, auto: false, context_tokens: 1000, max_output_tokens: 100, routes: ${route(0)} }
  - { id: z-cheap, capability: chat, context_tokens: 1000, max_output_tokens: 100, routes: ${route(1)} }
`;
  await applyConfigFile(db(), readCatalogueFile({ name: "f", text, variable: () => undefined }));
  await loadCatalogue();
  expect((await bootstrap(settingsWith())).startupBanner).toContain('"model":"z-cheap"');
});
