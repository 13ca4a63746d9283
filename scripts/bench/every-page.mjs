// Lists every page of the dashboard from its route table, with an example for each parameter.
import { withModules } from "../load-module.mjs";

const ROUTES = "app/routes.ts";

/** A query for an example of each parameter, for a person of an organisation; pages without an example are omitted. */
const EXAMPLES = {
  keyId: "SELECT id FROM api_key WHERE user_id = $user LIMIT 1",
  requestId:
    "SELECT max(u.id) AS id FROM usage_event u JOIN api_key k ON k.id = u.key_id WHERE k.user_id = $user AND u.organisation_id = $organisation",
  modelId: "SELECT id FROM model ORDER BY id LIMIT 1",
  providerId: "SELECT id FROM supplier ORDER BY id LIMIT 1",
  userId: "SELECT id FROM app_user WHERE organisation_id = $organisation AND id <> $user ORDER BY id LIMIT 1",
  orgId: "SELECT $organisation AS id",
  projectId: "SELECT min(id) AS id FROM project WHERE organisation_id = $organisation",
  month: "SELECT to_char(now() - interval '1 month', 'YYYY-MM') AS id",
  seq: "SELECT e.account_seq AS id FROM ledger_entry e JOIN ledger_account a ON a.id = e.account_id WHERE a.payer_kind = 'organisation' AND a.payer_id = $organisation LIMIT 1",
  reportId: "SELECT id FROM saved_report WHERE user_id = $user LIMIT 1",
  convId: "SELECT id FROM conversation WHERE organisation_id = $organisation LIMIT 1",
  grantId: "SELECT id FROM promotion LIMIT 1",
  callId: "SELECT id FROM hold WHERE state = 'review' LIMIT 1",
};

/** Returns the addresses of all dashboard pages, with parameters from one person's data. */
export async function everyPage(client, person) {
  const paths = await withModules(async (load) => pathsIn(await (await load(ROUTES)).default));
  const addresses = [];
  for (const path of paths) {
    const [address, missing] = await filledIn(client, path, person);
    if (missing === null) addresses.push(address);
    else process.stderr.write(`left out, because there is no example of ${missing}: ${path}\n`);
  }
  return addresses;
}

const pathsIn = (routes) =>
  routes.flatMap(({ path, file, children = [] }) => [
    ...(path?.startsWith("dashboard") && file.endsWith("/page.tsx") && !path.endsWith("*") ? [`/${path}`] : []),
    ...pathsIn(children),
  ]);

async function filledIn(client, path, { userId, organisationId }) {
  let address = path;
  for (const [, name] of path.matchAll(/:(\w+)/g)) {
    const sql = EXAMPLES[name];
    if (sql === undefined) throw new Error(`${path} needs an example of ${name} in scripts/bench/every-page.mjs`);
    const { rows } = await client.query(sql.replaceAll("$user", userId).replaceAll("$organisation", organisationId));
    if (rows[0]?.id == null) return [address, name];
    address = address.replace(`:${name}`, encodeURIComponent(rows[0].id));
  }
  return [address, null];
}
