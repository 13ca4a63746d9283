import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { pageText } from "../../support/page-text";
import { type Portal, startPortal } from "../../support/portal";

const PAGE = "/dashboard/admin/models";
let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
}, 120_000);
afterAll(() => portal?.close());

const tab = async (query: string) => {
  const { browser } = await portal.signInAs("platform_admin");
  const response = await browser.get(`${PAGE}${query}`);
  expect(response.status).toBe(200);
  return pageText(await response.text());
};

test("shows platform admins the suppliers, the models and the prices, each in a tab with their number", async () => {
  const [counts] = await portal.sql(
    `SELECT (SELECT count(*) FROM supplier WHERE status <> 'inactive')::int AS suppliers,
            (SELECT count(*) FROM model WHERE active)::int AS models, (SELECT count(*) FROM model_route WHERE active)::int AS prices`,
  );
  const suppliers = await tab("");
  expect(suppliers).toContain(`Suppliers ${counts?.suppliers} Models ${counts?.models} Prices ${counts?.prices}`);
  expect(suppliers).toMatch(/sandbox Configuration Part of gw Sandbox \S+ Active No traffic since the start \d+ \d+ –/);
  const models = await tab("?tab=models&q=sandbox-embed");
  expect(models).toContain("sandbox-embed Embeddings sandbox");
  expect(models).not.toContain("sandbox-chat");
  expect(await tab("?tab=prices&q=sandbox-embed")).toMatch(/sandbox-embed sandbox · \S+ \$\d/);
});

test("lists prices fifty at a time, in the same order under every filter, each one once", async () => {
  await portal.sql(
    `WITH s AS (INSERT INTO supplier (name, kind, region, source) VALUES ('many', 'chat', 'eu', 'config') RETURNING id),
          m AS (INSERT INTO model (id, owned_by, capability, context_tokens, max_output_tokens)
                SELECT 'many_' || n, 'x', 'chat', 10, 10 FROM generate_series(1, 120) n RETURNING id),
          r AS (INSERT INTO model_route (model_id, supplier_id, upstream_model, weight) SELECT m.id, s.id, up, length(up) FROM m, s, unnest(ARRAY['a', 'bb']) up RETURNING id, upstream_model)
     INSERT INTO price (route_id, input_per_mtok, output_per_mtok) SELECT id, 1, 1 FROM r WHERE upstream_model = 'a'`,
  );
  const { browser } = await portal.signInAs("platform_admin");
  const all = async (query: string) => {
    const seen: string[] = [];
    for (let next: string | undefined = `${PAGE}?tab=prices${query}`, pages = 0; next && pages < 10; pages += 1) {
      const html: string = await (await browser.get(next)).text();
      const body = /<table data-table="admin-prices"[\s\S]*?<\/table>/.exec(html)?.[0] ?? "";
      const rows = [...body.matchAll(/<tr[ >][\s\S]*?<\/tr>/g)]
        .map(([row]) => pageText(row))
        .filter((row) => /many/.test(row));
      expect(rows.length).toBeLessThanOrEqual(50);
      seen.push(...rows);
      const [, href] =
        /<a[^>]*rel="next"[^>]*href="([^"]+)"|<a[^>]*href="([^"]+)"[^>]*rel="next"/.exec(html)?.filter(Boolean) ?? [];
      next = href?.replaceAll("&amp;", "&");
    }
    return seen;
  };
  const bySupplier = await all("&supplier=many");
  expect([bySupplier.length, new Set(bySupplier).size]).toEqual([240, 240]);
  expect(await all("&q=many_")).toEqual(bySupplier);
  expect(await all("&supplier=many&price=none")).toHaveLength(120);
  // `%` in a search is a literal character, not a wildcard.
  expect(await all("&q=many%251")).toHaveLength(0);
  expect((await browser.get(`${PAGE}?tab=prices&after=nonsense`)).status).toBe(422);
  await portal.sql("UPDATE supplier SET status = 'inactive' WHERE name = 'many'");
  await portal.sql("UPDATE model SET active = false WHERE id LIKE 'many%'");
});

test("says how a supplier has answered", async () => {
  const { browser } = await portal.signInAs("member");
  const { key } = await (await browser.post("/dashboard/keys/new", { name: "k" }, { json: true })).json();
  const ask = async (model: string) => {
    const response = await fetch(`${portal.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
    });
    return response.status;
  };
  expect(await ask("sandbox-chat")).toBe(200);
  expect(await tab("")).toMatch(/sandbox Configuration Part of gw Sandbox \S+ Active Healthy 100% answered/);
  expect(await ask("sandbox-fault-500")).toBeGreaterThanOrEqual(500);
  // A process reads the figures of the last hour at most every ten seconds.
  await vi.waitFor(async () => expect(await tab("")).toMatch(/ms [1-9]\d?(\.\d)?% errors, last hour \d+ \d+ /), {
    ...{ timeout: 20_000, interval: 1_000 },
  });
}, 30_000);

test("leads from the address of the prices to their tab", async () => {
  const { browser } = await portal.signInAs("platform_admin");
  const response = await browser.get("/dashboard/admin/prices");
  expect([response.status, response.headers.get("location")]).toEqual([303, `${PAGE}?tab=prices`]);
});

test("is for platform admins", async () => {
  const { browser } = await portal.signInAs("org_admin");
  expect((await browser.get(PAGE)).status).toBe(403);
  expect((await browser.get("/dashboard/admin/prices")).status).toBe(403);
});
