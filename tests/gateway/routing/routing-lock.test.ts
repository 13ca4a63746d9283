import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, expectCleanBooks } from "../../support/chat-gateway";
import { type Gateway, startGateway } from "../../support/gateway";
import { type StandIn, startStandIn } from "../../support/stand-in-supplier";
import { fractionOf } from "../../support/stand-in-supplier/random.mjs";

/** Seed of random calls over HTTP, which test the suppliers that a call may reach. Suppliers record all requests. */
const SEED = process.env.SEED ?? String(Date.now() % 1_000_000);
const CALLS = 600;
const AT_ONCE = 12;

const REGIONS = ["eu-west", "eu-north", "us"] as const;
type Region = (typeof REGIONS)[number];

const MODELS: Readonly<Record<string, readonly Region[]>> = {
  near: ["eu-west", "eu-north"],
  mixed: ["eu-west", "us"],
  away: ["us", "eu-north"],
  everywhere: ["eu-west", "eu-north", "us"],
  abroad: ["us"],
};
const KEYS = [
  { regions: [], models: [] },
  { regions: ["eu"], models: [] },
  { regions: ["eu-west"], models: ["near", "mixed", "everywhere"] },
  { regions: ["us", "eu-north"], models: [] },
  { regions: [], models: ["away", "abroad"] },
  { regions: ["asia"], models: [] },
];
const ASKED = [null, null, null, "eu", "eu", "eu-north", "us", "nowhere"];
const FAULTS = { "503": 0.15, "429:none": 0.1, "error-first": 0.1, "401": 0.05, "reset-before": 0.05, "500": 0.05 };

const suppliers = new Map<Region, StandIn>();
const secrets: string[] = [];
let gateway: Gateway;
beforeAll(async () => {
  for (const region of REGIONS) suppliers.set(region, await startStandIn());
  gateway = await startGateway({ config: catalogue() });
  for (const key of KEYS.keys()) {
    const { regions, models } = restrictionOf(key);
    const limits = { allowed_regions: regions.join(","), allowed_models: models };
    secrets.push((await gateway.createKey({ ...limits, budget_limit: 1_000, budget_period: "monthly" })).key);
  }
});
afterAll(async () => {
  await gateway?.close();
  for (const supplier of suppliers.values()) await supplier.close();
});

function catalogue(): object {
  const kinds = ["chat", "messages"];
  const nameOf = (kind: string, region: string) => `${kind}-in-${region}`;
  return {
    suppliers: kinds.flatMap((kind) =>
      REGIONS.map((region) => ({
        ...{ name: nameOf(kind, region), kind, base_url: suppliers.get(region)!.url, region },
        ...{ timeout_ms: 5_000, idle_timeout_ms: 5_000 },
        credentials: ["first", "second"].map((name) => ({ name, api_key: `sk-${name}` })),
      })),
    ),
    models: kinds.flatMap((kind) =>
      Object.entries(MODELS).map(([id, regions]) => ({
        ...{ id: `${kind}-${id}`, capability: "chat", context_tokens: 128_000, max_output_tokens: 4_000, auto: true },
        routes: regions.map((region, index) => ({
          supplier: nameOf(kind, region),
          upstream_model: `${kind}-${id}`,
          priority: 1 + (index % 2),
          price: { input_per_mtok: 0.5, output_per_mtok: 1.5 },
        })),
      })),
    ),
  };
}

type Call = { key: number; model: string; region: string | null; path: string; body: object; session: string | null };

function drawn(turn: number): Call {
  const one = <Value>(what: string, ...values: readonly Value[]): Value =>
    values[Math.floor(fractionOf(`${SEED}/${turn}/${what}`) * values.length)]!;
  const path = one("path", "/v1/chat/completions", "/v1/chat/completions", "/v1/messages", "/v1/messages/count_tokens");
  const kind = path.endsWith("count_tokens") ? "messages" : one("kind", "chat", "messages");
  const isAuto = !path.endsWith("count_tokens") && one("auto", true, false, false, false, false);
  const model = isAuto ? "auto" : `${kind}-${one("model", ...Object.keys(MODELS))}`;
  const region = one("region", ...ASKED);
  const body = {
    ...{ model, messages: [{ role: "user", content: `call ${turn}` }], max_tokens: 20 },
    ...(region === null ? {} : { region }),
    ...(path.endsWith("count_tokens") ? {} : { stream: one("stream", true, false) }),
  };
  const session = one("session", null, null, "s1", "s2", "s3");
  return { key: one("key", ...KEYS.keys()), model, region, path, body, session };
}

/** The rule, implemented independently of the code under test. */
function isAllowed({ key, model, region }: Call, at: { model: string; region: Region }): boolean {
  const { regions, models } = restrictionOf(key);
  const lies = (area: string) => at.region === area || at.region.startsWith(`${area}-`);
  if (model !== "auto" && at.model !== model) return false;
  if (models.length > 0 && !models.includes(at.model)) return false;
  return (regions.length === 0 || regions.some(lies)) && (region === null || lies(region));
}

/** Returns the restrictions of a key; its allowed models cover both dialects. */
const restrictionOf = (key: number) => {
  const { regions, models } = KEYS[key]!;
  return { regions, models: models.flatMap((id) => [`chat-${id}`, `messages-${id}`]) };
};

test(`${CALLS} random calls: no supplier hears of one that it may not have (SEED=${SEED})`, async () => {
  for (const [at, supplier] of [...suppliers.values()].entries())
    await supplier.plan({ seed: `${SEED}/${at}`, faults: FAULTS, tokens: [1, 5] });

  const asked = new Map<string, Call>();
  const statuses = new Map<number, number>();
  for (let from = 0; from < CALLS; from += AT_ONCE) {
    const turns = Array.from({ length: AT_ONCE }, (_, index) => drawn(from + index));
    await Promise.all(
      turns.map(async (call) => {
        const response = await fetch(`${gateway.url}${call.path}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${secrets[call.key]}`,
            "content-type": "application/json",
            ...(call.session === null ? {} : { "x-session-id": call.session }),
          },
          body: JSON.stringify(call.body),
        });
        await response.text();
        asked.set(response.headers.get("x-request-id")!, call);
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      }),
    );
  }

  let dispatches = 0;
  const failedOver = new Map<string, number>();
  for (const [region, supplier] of suppliers) {
    const { requests } = await eventually(
      () => supplier.seen(),
      ({ inFlight }) => inFlight === 0,
    );
    for (const { id, body, path } of requests) {
      const call = asked.get(id);
      expect(call, `a request that nobody sent: ${path}`).toBeDefined();
      const model = JSON.parse(body).model as string;
      expect(isAllowed(call!, { model, region }), `${JSON.stringify(call)} in ${region} for ${model}`).toBe(true);
      dispatches += 1;
      failedOver.set(id, (failedOver.get(id) ?? 0) + 1);
    }
  }
  // The run is significant: many calls were sent, some failed over, and many were rejected without a connection.
  const refused = [...asked].filter(([id]) => !failedOver.has(id));
  expect(asked.size).toBe(CALLS);
  expect(dispatches).toBeGreaterThan(CALLS / 3);
  expect([...failedOver.values()].filter((count) => count > 1).length).toBeGreaterThan(10);
  expect(refused.length).toBeGreaterThan(CALLS / 10);
  for (const [, call] of refused) {
    const lanes = ["chat", "messages"].flatMap((kind) =>
      Object.entries(MODELS).flatMap(([id, regions]) => regions.map((region) => ({ model: `${kind}-${id}`, region }))),
    );
    // gw may answer a token count itself.
    if (!call.path.endsWith("count_tokens")) expect(lanes.some((lane) => isAllowed(call, lane))).toBe(false);
  }
  await expectCleanBooks(gateway);
});
