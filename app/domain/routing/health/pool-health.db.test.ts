import { afterEach, beforeEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import { readCredentials, recordHeadroom, saveCredential } from "~/domain/credentials/index.server";
import { openFreshDatabase, type TestDatabase } from "../../../../tests/support/database";
import { allowed, aRoute, aSupplier } from "../__fixtures__/routes";
import { AttemptPlan, health, monotonicNow, readPoolHealth } from "../index.server";

let database: TestDatabase;
beforeEach(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-only-0123456789abcdef" }));
  database = await openFreshDatabase();
});
afterEach(() => database.close());

test("the pool shows each credential as it stands, and no secret", async () => {
  const { id } = await db().supplier.create({ data: { name: "agents", kind: "native_agent", region: "eu" } });
  for (const [position, name] of ["a", "b", "c"].entries())
    await saveCredential(db(), { supplierId: id, supplier: "agents", position }, { name, apiKey: `sk-${name}` });
  const credentials = (await readCredentials(db())).get(id)!;
  const supplier = aSupplier({ id, name: "agents", kind: "native_agent", credentials });
  const attempts = new AttemptPlan(
    { routes: allowed(aRoute({ supplier })), modelId: "m", session: null, pinnedCredential: null },
    health,
  );
  attempts.report(attempts.next(monotonicNow())!, { kind: "refused" }, monotonicNow());
  attempts.next(monotonicNow());
  recordHeadroom(
    { provider: "agents", keyName: "c" },
    {
      "x-ratelimit-remaining-requests": "40",
      "x-ratelimit-limit-requests": "50",
      "x-codex-primary-used-percent": "12.5",
      "x-ratelimit-remaining-tokens": "soon",
    },
  );
  const pool = await readPoolHealth(db());
  expect(pool).toMatchObject({ total: 3, usable: 2, resting: 1 });
  expect(pool.pools).toMatchObject([
    {
      supplier: "agents",
      region: "eu",
      credentials: [
        { name: "a", kind: "api_key", state: "usable", rests: [{ reason: "refused", model: null }], inFlight: 0 },
        { name: "b", rests: [], inFlight: 1, headroom: null },
        { name: "c", headroom: { requests: { left: 40, of: 50 }, tokens: null, used: { "codex-primary": 12.5 } } },
      ],
    },
  ]);
  expect(JSON.stringify(pool)).not.toContain("sk-");
});
