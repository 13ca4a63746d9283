import { afterAll, beforeAll, expect, test } from "vitest";
import { type Browser, type Portal, startPortal } from "../../support/portal";

let portal: Portal;
let operator: Browser;
beforeAll(async () => {
  portal = await startPortal({
    config: {
      suppliers: [
        {
          ...{ name: "vendor", kind: "chat", base_url: "http://127.0.0.1:9/v1", region: "eu" },
          credentials: ["first", "second"].map((name) => ({ name, api_key: `sk-CANARY-${name}` })),
        },
      ],
      models: [
        {
          ...{ id: "m", capability: "chat", context_tokens: 8_000, max_output_tokens: 1_000 },
          routes: [{ supplier: "vendor", upstream_model: "m", price: { input_per_mtok: 1, output_per_mtok: 1 } }],
        },
      ],
    },
  });
  operator = (await portal.signInAs("platform_admin")).browser;
  await portal.sql(
    `INSERT INTO token_event (at, provider, key_name, kind, source, error_kind, count)
     VALUES (now() - interval '1 hour', 'vendor', 'first', 'cooled', 'traffic', 'limited', 3),
            (now() - interval '2 hours', 'vendor', 'second', 'used_error', 'traffic', 'refused', 1),
            (now() - interval '30 hours', 'vendor', 'first', 'refreshed', 'refresh', NULL, 1)`,
  );
}, 120_000);
afterAll(() => portal?.close());

type Log = {
  events: { kind: string; key_name: string; count: number }[];
  total: number;
  limit: number;
  offset: number;
};
const logs = async (query: string): Promise<Log> =>
  (await operator.getJson(`/api/admin/token-logs?provider=vendor&${query}`)).json() as Promise<Log>;
const kinds = async (query: string) =>
  (await logs(query)).events.filter(({ kind }) => kind !== "added").map(({ kind }) => kind);

test("the log of a day is the newest first, and every parameter narrows it", async () => {
  expect(await kinds("")).toEqual(["cooled", "used_error"]);
  expect(await kinds("window_hours=48")).toEqual(["cooled", "used_error", "refreshed"]);
  expect(await kinds("key_name=second")).toEqual(["used_error"]);
  expect(await kinds("kinds=cooled,refreshed&window_hours=0")).toEqual(["cooled", "refreshed"]);
  expect(await kinds("source=refresh&window_hours=48")).toEqual(["refreshed"]);
  expect(await kinds("error_kind=limited")).toEqual(["cooled"]);
  expect(await kinds(`since_ms=${Date.now() - 5_400_000}`)).toEqual(["cooled"]);
  expect(await kinds("kinds=cooled,used_error&limit=1&offset=1")).toEqual(["used_error"]);
  expect(await logs("kinds=cooled&limit=5")).toMatchObject({ limit: 5, offset: 0 });
});

test("the pools tell of every credential, and never its secret", async () => {
  const response = await operator.getJson("/dashboard/admin/api/proxy-health");
  const text = await response.text();
  const health = JSON.parse(text) as { pools: { supplier: string; usable: number; credentials: { name: string }[] }[] };
  const pool = health.pools.find(({ supplier }) => supplier === "vendor");
  expect(pool).toMatchObject({ region: "eu", usable: 2, resting: 0 });
  expect(pool?.credentials).toMatchObject([
    { name: "first", kind: "api_key", state: "usable", in_flight: 0, rests: [], headroom: null },
    { name: "second" },
  ]);
  expect(text).not.toContain("CANARY");
});

const PAGE = "/dashboard/admin/models/credentials";
/** Returns the text of a section of the page, without markup. */
const shown = async (query: string) => {
  const html = await (await operator.get(`${PAGE}?${query}`)).text();
  const rows = /<section[^>]*id="log"[\s\S]*?<tbody[^>]*>([\s\S]*?)<\/tbody>/.exec(html)?.[1] ?? "";
  const text = (part: string) => part.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  return {
    html,
    rows: rows
      .split("</tr>")
      .map(text)
      .filter((row) => row.trim() !== ""),
  };
};

test("the page shows each credential with how it stands, and the events that the address asks for", async () => {
  const { html, rows } = await shown("provider=vendor");
  for (const name of ["first", "second"]) expect(html).toContain(`key_name=${name}&amp;window_hours=168#log`);
  expect(html).toContain("2 of 2 usable, 0 cooling down");
  expect(html).not.toContain("CANARY");
  expect(rows.filter((row) => row.includes("Cooled down"))).toEqual([
    expect.stringMatching(/× 3 .*vendor.*first.*limited/),
  ]);
  const found = async (query: string) => (await shown(query)).rows.length;
  expect(await found("provider=vendor&kinds=cooled,used_error")).toBe(2);
  expect(await found("provider=vendor&kinds=cooled,refreshed&window_hours=48")).toBe(2);
  expect(await found("key_name=second&kinds=used_error")).toBe(1);
  expect(await found("source=refresh&window_hours=0")).toBe(1);
  expect(await found("error_kind=limited")).toBe(1);
  expect(await found(`kinds=cooled,used_error&since_ms=${Date.now() - 5_400_000}`)).toBe(1);
});

test("the page leads on through more events than it shows, with the same filters", async () => {
  const first = await shown("provider=vendor&kinds=cooled,used_error&limit=1");
  expect(first.html).toContain("1–1 of 2");
  const older = /href="([^"]*offset=1[^"]*)"/.exec(first.html)?.[1]?.replaceAll("&amp;", "&") ?? "";
  expect(older).toMatch(/#log$/);
  expect((await shown(older.replace(/^[^?]*\?/, ""))).rows).toEqual([
    expect.stringMatching(/Error in use.*second.*refused/),
  ]);
  expect((await shown("provider=nobody")).html).toContain("No matching events");
});

test("all are for those who run the installation, and refuse what they do not know", async () => {
  const { browser } = await portal.signInAs("org_admin");
  for (const path of ["/api/admin/token-logs", "/dashboard/admin/api/proxy-health", PAGE]) {
    expect((await browser.getJson(path)).status).toBe(403);
    expect((await portal.visitor().getJson(path)).status).toBe(401);
  }
  for (const query of ["limit=5000", "limit=x", "window_hours=-1", "since_ms=soon"])
    for (const path of ["/api/admin/token-logs", PAGE])
      expect((await operator.getJson(`${path}?${query}`)).status).toBe(422);
});
