import { afterAll, beforeAll, expect, test } from "vitest";
import { type Portal, startPortal } from "../../support/portal";

let portal: Portal;

beforeAll(async () => {
  portal = await startPortal();
  const { browser } = await portal.signInAs("member");
  const { id } = await (await browser.post("/dashboard/keys/new", { name: "CANARY key" }, { json: true })).json();
  const row = (model: string, requests: number, errors: number) =>
    portal.sql(
      `INSERT INTO usage_hour (hour, organisation_id, key_id, user_id, department_id, project_id, model, supplier, region, requests, errors,
         latency_ms, first_byte_ms, first_bytes, failovers, routed, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens,
         reasoning_tokens, cost, charged, saved)
       SELECT date_trunc('hour', now()), organisation_id, id, 0, 0, 0, $2, 'CANARY supplier', 'global', $3::integer, $4::integer,
              $3::integer * 420, $3::integer * 140, $3::integer, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
         FROM api_key WHERE id = $1`,
      [id, model, requests, errors],
    );
  await row("sandbox-chat", 200, 10);
  await row("sandbox-embed", 49, 0);
  await row("sandbox-fault-500", 500, 500);
  await row("CANARY model of somebody", 500, 0);
}, 120_000);
afterAll(() => portal?.close());

test("everybody reads how models have been, and nothing about whose requests they were", async () => {
  const answer = await portal.visitor().get("/status");
  expect(answer.status).toBe(200);
  const page = await answer.text();
  expect(page).toContain("95% uptime");
  expect(page).toContain("420 ms in total");
  for (const hidden of ["CANARY", "sandbox-embed", "sandbox-fault-500", "200 requests"])
    expect(page).not.toContain(hidden);
  expect(await (await portal.visitor().get("/")).text()).toContain('href="/status"');
});

test("it is there in every language", async () => {
  for (const [language, title] of [
    ["de", "Status"],
    ["fr", "État du service"],
    ["es", "Estado del servicio"],
  ] as const) {
    const answer = await portal.visitor().fetch("/status", { headers: { "accept-language": language } });
    expect(await answer.text(), language).toContain(`<title>${title} · gw</title>`);
  }
});

test("the operator can leave it out", async () => {
  const without = await startPortal({ env: { GW_STATUS_PAGE: "false" } });
  expect((await without.visitor().get("/status")).status).toBe(404);
  expect(await (await without.visitor().get("/sitemap.xml")).text()).not.toContain("/status");
  expect(await (await without.visitor().get("/")).text()).not.toContain('href="/status"');
  await without.close();
});
