import { expect, test } from "vitest";
import { freshDatabase } from "../../support/database";
import { type Portal, startPortal } from "../../support/portal";

const PEOPLE = 8;
/** Spend in nano-USD of a budget of one dollar, and the crossed threshold in percent. */
const STEPS = [
  [600_000_000, 50],
  [850_000_000, 80],
  [950_000_000, 90],
] as const;

/** Creates a person with alerts on, and their key with a daily budget of one dollar. */
async function anOwner(gw: Portal): Promise<{ userId: number; keyId: number; email: string }> {
  const organisationId = await gw.addOrganisation();
  const { browser, person } = await gw.signInAs("member", { organisationId });
  const [key] = await gw.sql(
    `INSERT INTO api_key (public_id, organisation_id, user_id, name, secret_hmac, secret_prefix, secret_last4)
     VALUES ('alert-' || $2::int, $1, $2::int, 'Nightly batch', decode(md5(($2::int)::text), 'hex'), 'gw', '0000') RETURNING id`,
    [organisationId, person.userId],
  );
  await gw.sql("SELECT budget_set($1, 'key', $2, 1000000000, 'daily')", [organisationId, key.id]);
  expect((await browser.post("/dashboard/budgets/activate", {})).status).toBe(303);
  return { userId: person.userId, keyId: key.id, email: person.email };
}

test("every threshold is told once in its period by processes of which one is killed at any moment", async () => {
  const database = await freshDatabase();
  const env = { GW_SECRET: "a-secret-of-both-processes-0123456789abcdef" };
  let killed = await startPortal({ database, env });
  // Only one process at a time can use the embedded database.
  const other = database.embedded ? null : await startPortal({ database, env, adminKey: killed.gateway.adminKey });
  try {
    const owners: Awaited<ReturnType<typeof anOwner>>[] = [];
    for (let at = 0; at < PEOPLE; at += 1) owners.push(await anOwner(killed));
    const keyIds = owners.map(({ keyId }) => keyId);
    const userIds = owners.map(({ userId }) => userId);
    for (const [spent, threshold] of STEPS) {
      await killed.sql(
        `INSERT INTO budget_counter (budget_id, period_start, organisation_id, opening, spent)
           SELECT id, budget_period_start(period, app_now()), organisation_id, $2, $2 FROM budget WHERE scope_kind = 'key' AND scope_id = ANY ($1)
         ON CONFLICT (budget_id, period_start) DO UPDATE SET opening = excluded.opening, spent = excluded.spent`,
        [keyIds, spent],
      );
      const raised = async () =>
        (
          await killed.sql("SELECT count(*)::int AS n FROM alert WHERE scope_id = ANY ($1) AND threshold = $2", [
            keyIds,
            threshold,
          ])
        )[0].n;
      // Kill the process as soon as it has stored the first alert.
      await expect.poll(raised, { timeout: 30_000, interval: 5 }).toBeGreaterThan(0);
      const { dataDir, adminKey } = killed.gateway;
      await killed.gateway.kill("SIGKILL");
      killed = await startPortal({ database, dataDir, adminKey, env });
      const sent = async () =>
        (
          await killed.sql(
            `SELECT count(*)::int AS n FROM alert_delivery d JOIN alert a ON a.id = d.alert_id
              WHERE d.user_id = ANY ($1) AND a.threshold = $2 AND d.state = 'sent'`,
            [userIds, threshold],
          )
        )[0].n;
      await expect.poll(sent, { timeout: 60_000, interval: 200 }).toBe(PEOPLE);
    }
    const told = await killed.sql(
      `SELECT a.scope_id AS key, a.threshold::int AS threshold, count(*)::int AS alerts, sum(d.attempts)::int AS attempts
         FROM alert a JOIN alert_delivery d ON d.alert_id = a.id WHERE d.user_id = ANY ($1) GROUP BY 1, 2 ORDER BY 1, 2`,
      [userIds],
    );
    const once = keyIds.flatMap((key) => STEPS.map(([, threshold]) => ({ key, threshold, alerts: 1, attempts: 1 })));
    expect(told).toEqual(once);
    const [mails] = await killed.sql("SELECT count(*)::int AS n FROM mail WHERE kind = 'budget_alert'");
    expect(mails).toEqual({ n: PEOPLE * STEPS.length });
  } finally {
    await killed.close();
    await other?.close();
    await database.close();
  }
}, 240_000);
