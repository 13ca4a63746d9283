// Measures the portal's pages on millions of finished calls:
// npm run bench:pages -- postgresql://user:password@host/postgres [calls] [every|log]
// `every`: all dashboard pages instead of those that read many calls; `log`: the request log with each of its filters.
// Creates a database and drops it; needs the built server (node scripts/prepare.mjs build).
import process from "node:process";
import { CATALOGUE, writeCalls } from "./bench/calls.mjs";
import { everyPage } from "./bench/every-page.mjs";
import { signInAs, withServer } from "./bench/server.mjs";

const [serverUrl = process.env.TEST_DATABASE_URL, callsText = "5000000", which] = process.argv.slice(2);
if (!serverUrl) throw new Error("name a PostgreSQL server, or set TEST_DATABASE_URL");
const ROUNDS = 20;

const dayAgo = (days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const LOG = "/dashboard/request-log";
const PAGES = [
  ...["/dashboard", "/dashboard?range=30d", "/dashboard/usage?range=30d", "/dashboard/usage?range=30d&group=key"],
  ...["/dashboard/usage?range=30d&group=department", "/dashboard/usage?range=30d&tz=local"],
  ...["/dashboard/keys", LOG, `${LOG}?outcome=failed`, `${LOG}?outcome=rejected`, `${LOG}?code=upstream_error`],
  ...[`${LOG}?code=none`, `${LOG}?session=none`, `${LOG}?since=${dayAgo(60)}&until=${dayAgo(60)}`],
  ...[`${LOG}?model=model-3`, `${LOG}?model=none`, `${LOG}?least_cost=9`],
  ...["/dashboard/autorouter?days=90", "/dashboard/qualitative?days=90", "/dashboard/qualitative?group=model"],
];

/** The first page of the request log under every filter: with many matches, with few, and with none. */
const logPages = ({ keyId, departmentId, projectId, userId }) =>
  [
    ...[
      "",
      "outcome=complete",
      "outcome=error",
      "outcome=failed",
      "outcome=interrupted",
      "outcome=rejected",
      "range=90d",
    ],
    ...[
      "model=model-3",
      "model=none",
      "supplier=supplier-1",
      "region=eu",
      "region=none",
      "code=upstream_error",
      "code=none",
    ],
    ...[
      "session=none",
      "guardrail=flag",
      "guardrail=redact",
      `since=${dayAgo(60)}&until=${dayAgo(60)}`,
      "tz=local&range=90d",
    ],
    ...[
      "least_cost=0.0001",
      "least_cost=9",
      "most_cost=0.000001",
      "most_cost=0",
      "most_cost=9",
      "least_cost=0.001&most_cost=0.0011",
    ],
    ...[
      "least_ms=1",
      "least_ms=600000",
      "most_ms=100",
      "most_ms=200",
      "most_ms=400",
      "most_ms=600000",
      "least_ms=500&most_ms=501",
    ],
    ...[
      "most_cost=0.0001&range=90d",
      "most_ms=400&range=90d",
      "most_ms=400&outcome=failed",
      "least_ms=1&model=model-3",
    ],
    ...[`key=${keyId}`, `user=${userId}`, `department=${departmentId}`, `project=${projectId}`, "organisation=1"],
    ...[
      "key_name=Key+7",
      "person=Person+7",
      "department_name=Department+1",
      "project_name=Project+2",
      "organisation_name=Customer+1",
      "key_name=none",
    ],
    ...[
      `key=${keyId}&most_ms=100`,
      `department=${departmentId}&most_cost=0.000001`,
      `project=${projectId}&outcome=failed`,
    ],
    ...[`department=${departmentId}&code=upstream_error`, `project=${projectId}&model=none`],
  ].map((query) => (query === "" ? LOG : `${LOG}?${query}`));

const ROLES = ["member", "org_admin", "owner"];

/**
 * Owners of the keys with the most recent calls: a member, an admin of their organisation, and a platform admin, each
 * with a session.
 */
async function signIn(client) {
  const { rows } = await client.query(
    `SELECT user_id AS id, organisation_id AS organisation FROM usage_hour
      WHERE organisation_id = (SELECT min(organisation_id) FROM usage_hour) AND hour > now() - interval '3 days'
      GROUP BY 1, 2 ORDER BY sum(requests) DESC LIMIT 3`,
  );
  const people = [];
  for (const [place, role] of ROLES.entries())
    people.push({ role, cookie: await signInAs(client, { userId: rows[place].id, role }) });
  await client.query("UPDATE app_user SET time_zone = 'Europe/Berlin' WHERE id = ANY ($1)", [rows.map(({ id }) => id)]);
  const example = { userId: rows[0].id, organisationId: rows[0].organisation };
  const { rows: groups } = await client.query(
    `SELECT key_id AS "keyId", department_id AS "departmentId", project_id AS "projectId" FROM usage_hour
      WHERE organisation_id = $1 AND department_id <> 0 AND project_id <> 0 ORDER BY hour DESC, requests DESC LIMIT 1`,
    [example.organisationId],
  );
  Object.assign(example, groups[0]);
  return { people, example };
}

async function measure(address, cookie) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const begun = performance.now();
    const response = await fetch(address, { headers: { cookie }, redirect: "manual" });
    await response.arrayBuffer();
    if (response.status !== 200) return { status: response.status };
    // The first request has cold caches, so it is reported separately.
    if (round > 0) times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(ROUNDS * 0.5)], p95: times[Math.floor(ROUNDS * 0.95) - 1] };
}

const milliseconds = (time) => `${time.toFixed(0).padStart(5)} ms`;

await withServer(serverUrl, "gw_pages", {
  catalogue: CATALOGUE,
  async fill(client) {
    await writeCalls(client, Number(callsText));
    return signIn(client);
  },
  async work({ address, filled: { people, example }, onDatabase }) {
    const pages =
      which === "every"
        ? await onDatabase((client) => everyPage(client, example))
        : which === "log"
          ? logPages(example)
          : PAGES;
    for (const { role, cookie } of people)
      for (const page of pages) {
        const { status, p50, p95 } = await measure(`${address}${page}`, cookie);
        const took =
          status === undefined ? `p50 ${milliseconds(p50)}   p95 ${milliseconds(p95)}` : `answered ${status}`;
        process.stdout.write(`${role.padEnd(10)} ${page.padEnd(62)} ${took}\n`);
      }
  },
});
