import { type BrowserContext, expect, type Page } from "@playwright/test";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { PAGES_TO_FIND } from "~/routes/_public/pages-to-find";
import { publicRoutes } from "~/routes/_public/routes";
import { signInRoutes } from "~/routes/_sign-in/routes";
import { dashboardRoutes } from "~/routes/dashboard/routes";
import { addOrganisation, type PersonFields, type Role } from "../support/people";
import { expectUsable } from "./accessibility";
import { type Portal, test } from "./portal";

test.use({ portalEnv: { GW_ALLOW_PRIVATE_UPSTREAMS: "true" } });

// Each look takes minutes, so the looks run in parallel.
test.describe.configure({ mode: "parallel" });

/** Returns the paths of the pages in the route table, with parameter names. */
const pagesOf = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ path, file, children }) => [
    ...(file.endsWith("/page.tsx") && !path?.endsWith("*") ? [`/${path ?? ""}`] : []),
    ...pagesOf(children ?? []),
  ]);

/** Widths and colour schemes. Pages of the dashboard have two of the four looks, or all with `EVERY_LOOK=1`. */
const LOOKS = [
  [1280, "light"],
  [360, "dark"],
  [1280, "dark"],
  [360, "light"],
] as const;
const DASHBOARD_LOOKS = LOOKS.slice(0, process.env.EVERY_LOOK ? 4 : 2);

/** Pages for everybody. An unknown or used link has a page too. */
const PUBLIC_PAGES = new Set([...pagesOf([...publicRoutes, ...signInRoutes]), ...PAGES_TO_FIND, "/nothing-here"]);

/** Pages that only people in a particular state can see. */
const STOPPED: Readonly<Record<string, [role: Role, fields?: PersonFields]>> = {
  "/account/terms": ["member", { terms: false }],
  "/account/sign-out": ["member"],
  "/account/confirm": ["org_admin"],
  "/account/suspended": ["member", { status: "suspended" }],
  "/account/archived": ["member", { status: "archived" }],
};

/** The same pages with more content. */
const MORE = [
  ...["/dashboard?range=24h", "/dashboard/usage?group=key&metric=tokens", "/dashboard/usage?metric=rejections"],
  ...["/dashboard/request-log?outcome=rejected", "/dashboard/request-log?outcome=in_flight"],
  ...[
    "/dashboard/request-log?least_ms=1&person=nobody&key_name=nothing",
    "/dashboard/keys?q=nothing",
    "/dashboard/nothing-there",
  ],
];

const optionsOf = ([width, colorScheme]: (typeof LOOKS)[number]) =>
  ({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" }) as const;

for (const look of DASHBOARD_LOOKS) {
  test(`every page of the dashboard is sound and fits, ${look.join(" px, ")}`, async ({ browser, portal }) => {
    test.setTimeout(300_000);
    const context = await browser.newContext(optionsOf(look));
    const parameters = await somethingOfEverything(portal, context);
    const page = await context.newPage();
    for (const pattern of [...pagesOf(dashboardRoutes), ...MORE]) {
      const address = pattern.replace(/:(\w+)/g, (_, name: string) => {
        expect(parameters, `a page has the parameter ${name}: say here what stands for it`).toHaveProperty(name);
        return String(parameters[name]);
      });
      await isSound(page, portal.url + address, address.endsWith("/nothing-there") ? 404 : 200);
    }
    await context.close();
  });
}

for (const look of LOOKS) {
  test(`every page for everybody, and every one on the way in, is sound and fits, ${look.join(" px, ")}`, async ({
    browser,
    portal,
  }) => {
    test.setTimeout(300_000);
    const options = optionsOf(look);
    const everybody = await browser.newContext(options);
    const page = await everybody.newPage();
    for (const pattern of PUBLIC_PAGES) {
      const address = portal.url + pattern.replace(/:token/, "no-such-token");
      const stopped = STOPPED[pattern];
      if (stopped === undefined) await isSound(page, address);
      else {
        const own = await browser.newContext(options);
        await portal.signInAs(own, ...stopped);
        await isSound(await own.newPage(), address);
        await own.close();
      }
    }
    await everybody.close();
  });
}

async function isSound(page: Page, address: string, status?: number): Promise<void> {
  await test.step(address, async () => {
    const response = await page.goto(address);
    if (status !== undefined) expect(response?.status(), address).toBe(status);
    expect(response?.status(), address).toBeLessThan(500);
    await expectUsable(page);
    if (process.env.LOOK) {
      const name = new URL(address).pathname.replaceAll("/", "_");
      await page.screenshot({ path: `${process.env.LOOK}/${name}-${page.viewportSize()?.width}.png`, fullPage: true });
    }
  });
}

/** Signs an owner in and creates one object of each kind with a page. Returns the values of path parameters. */
async function somethingOfEverything(
  portal: Portal,
  context: BrowserContext,
): Promise<Record<string, string | number>> {
  const { sql, url } = portal;
  const owner = await portal.signInAs(context, "owner");
  const organisationId = await addOrganisation(sql);
  const person = await portal.addPerson({ organisationId, role: "member" });
  const headers = { accept: "application/json", origin: url };
  const first = async (query: string, values: unknown[] = []) => (await sql(query, values))[0].id as string | number;
  const key = await (
    await context.request.post(`${url}/dashboard/keys/new`, {
      ...{ headers, data: { name: "A key with a name that is long enough to be cut short", budget_limit: "5" } },
    })
  ).json();
  for (const model of ["sandbox-chat", "sandbox-fault-500", "no-such-model"])
    await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello" }] }),
    }).then((answer) => answer.arrayBuffer());
  const requestOf = () =>
    sql("SELECT request_id AS id FROM usage_event WHERE key_id = $1 AND outcome = 'complete'", [key.id]);
  await expect.poll(async () => (await requestOf()).length, { timeout: 15_000 }).toBe(1);
  const wallet = await first("SELECT wallet_open('organisation', $1::int, $1::int, false)::int AS id", [
    owner.organisationId,
  ]);
  await sql(
    "SELECT wallet_post($1, 'adjustment', 1000000000, 'adjustment', gen_random_uuid()::text, 'test', 'start')",
    [wallet],
  );
  const callId = "01a211b3-0000-7000-8000-00000000000a";
  await sql("UPDATE ledger_account SET held = held + 4000000 WHERE id = $1", [wallet]);
  await sql(
    `INSERT INTO hold (id, organisation_id, key_id, wallet_id, exempt, state, amount, price_version, lease_owner, lease_until, created_at, dispatched_at, reason)
     VALUES ($1, $2, $3, $4, false, 'review', 4000000, 1, 'test', now() - interval '1 minute', now(), now(), 'lease_expired') ON CONFLICT DO NOTHING`,
    [callId, owner.organisationId, key.id, wallet],
  );
  return {
    keyId: key.id,
    requestId: (await requestOf())[0].id,
    modelId: "sandbox-chat",
    reportId: await first(
      "INSERT INTO saved_report (user_id, organisation_id, visibility, name, question) VALUES ($1, $2, 'private', 'Spend', '') RETURNING id",
      [owner.userId, owner.organisationId],
    ),
    month: new Date().toISOString().slice(0, 7),
    seq: 1,
    userId: person.userId,
    orgId: organisationId,
    batchId: await first(
      `INSERT INTO batch (id, organisation_id, user_id, key_id, endpoint, input_file_id, state, outcome, errors, metadata, total, completed,
         failed, created_at, expires_at, begun_at, ended_at)
       VALUES ('batch_' || md5(random()::text), $1, $2, $3, '/v1/chat/completions', 'file-' || md5('gone'), 'failed', 'failed', $4,
         '{"dataset": "questions"}', 3, 2, 1, now() - interval '1 hour', now(), now(), now()) RETURNING id`,
      [
        ...[owner.organisationId, owner.userId, key.id],
        JSON.stringify([{ code: "budget_exceeded", message: "The budget is used up.", param: null, line: 3 }]),
      ],
    ),
    convId: await first(
      `INSERT INTO conversation (organisation_id, key_id, user_id, session_id, model, started_at, last_at)
       VALUES ($1, $2, $3, 'session', 'sandbox-chat', now(), now()) RETURNING id`,
      [owner.organisationId, key.id, owner.userId],
    ),
    projectId: await first(
      "INSERT INTO project (organisation_id, name, created_by_id) VALUES ($1, $2, $3) RETURNING id",
      [organisationId, `Project ${person.userId}`, owner.userId],
    ),
    providerId: await made(portal, context, {
      path: "/dashboard/admin/providers",
      data: { name: `looked-at-${person.userId}`, kind: "chat", base_url: "http://127.0.0.1:9/v1", region: "eu" },
      answer: "provider_id",
    }),
    callId,
    grantId: await made(portal, context, {
      path: "/dashboard/admin/promotions/create",
      data: { name: "Spring gift", amount: "5", audience: "code", expires_at: "2099-12-31" },
      answer: "grant_id",
    }),
  };
}

/** Submits a form of the administration. Returns the id of the created object from this field of the answer. */
async function made(
  { url }: Portal,
  context: BrowserContext,
  { path, data, answer }: { path: string; data: object; answer: string },
): Promise<number> {
  const response = await context.request.post(url + path, {
    headers: { accept: "application/json", origin: url },
    data,
  });
  expect(response.status(), path).toBe(200);
  return ((await response.json()) as Record<string, number>)[answer] as number;
}
