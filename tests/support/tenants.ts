import { createHash, randomBytes } from "node:crypto";
import type { Portal, Role, SignedIn } from "./portal";

/**
 * One organisation with one object of each kind that has an id, and people of every role. Each text contains the
 * tenant's canary, so that a leak to another tenant is recognised.
 */
export type Tenant = {
  canary: string;
  organisationId: number;
  people: Record<"orgAdmin" | "departmentAdmin" | "member" | "viewer", SignedIn>;
  /** An object id for each path parameter, by its published name. A new path parameter needs a line here. */
  objects: Readonly<Record<string, string>>;
  /** Changes with every change of the tenant's data, except the time at which its people were last seen. */
  fingerprint(): Promise<string>;
};

export async function aTenant(portal: Portal, name: string): Promise<Tenant> {
  const canary = `canary-${name}-${randomBytes(6).toString("hex")}`;
  const { sql } = portal;
  const organisationId = await portal.addOrganisation(canary);
  const departmentId = await portal.addDepartment(organisationId, `${canary} department`);
  const person = (role: Role) =>
    portal.signInAs(role, {
      organisationId,
      departmentId,
      name: `${canary} ${role}`,
      email: `${canary}-${role.replace("_", "-")}@example.com`,
    });
  const people = {
    orgAdmin: await person("org_admin"),
    departmentAdmin: await person("department_admin"),
    member: await person("member"),
    viewer: await person("viewer"),
  };
  const first = async (query: string, parameters: unknown[]) => String((await sql(query, parameters))[0].id);
  const made = await people.member.browser.post("/dashboard/keys/new", { name: `${canary} key` }, { json: true });
  const { id: keyId } = (await made.json()) as { id: number };
  const token = randomBytes(32).toString("base64url");
  const objects = {
    org_id: String(organisationId),
    department_id: String(departmentId),
    // Jobs belong to the installation, and are the same for every person who may see them.
    job: "purge-emails",
    // Every signed-in person may see each model of the installation, so this id is of a model that does not exist.
    model_id: "not-served",
    user_id: String(people.member.person.userId),
    key_id: String(keyId),
    project_id: await first(
      "INSERT INTO project (organisation_id, name, created_by_id) VALUES ($1, $2, $3) RETURNING id",
      [organisationId, `${canary} project`, people.departmentAdmin.person.userId],
    ),
    // Promotions belong to the installation too.
    grant_id: "1",
    provider_id: "1",
    route_id: "1",
    // Always about the caller's own payer.
    month: "1999-12",
    seq: "1999999998",
    call_id: "00000000-0000-4000-8000-000000000001",
    request_id: await aRequest(sql, { organisationId, keyId, userId: people.member.person.userId, canary }),
    event_id: "evt_of_nobody",
    pm_id: await aCard(sql, people.member.person.userId, name),
    operation_id: await anAutoTopup(sql, { organisationId, userId: people.member.person.userId }),
    invite_id: await first(
      "INSERT INTO invite (organisation_id, email, role, token_hash, expires_at) VALUES ($1, $2, 'member', $3, now() + interval '1 day') RETURNING id",
      [organisationId, `${canary}-invited@example.com`, createHash("sha256").update(token).digest()],
    ),
    report_id: await first(
      "INSERT INTO saved_report (user_id, organisation_id, visibility, name, question) VALUES ($1, $2, 'private', $3, '') RETURNING id",
      [people.member.person.userId, organisationId, `${canary} report`],
    ),
    ...(await aSchedule(sql, { organisationId, userId: people.member.person.userId, canary })),
    job_id: await first(
      `INSERT INTO report_export (id, user_id, organisation_id, name, asked, as_of, admin_mode, format, status, sha256, finished_at, expires_at)
       VALUES ('exp_' || $4, $1, $2, $3, '{}', now(), false, 'csv', 'done', 'none', now(), now() + interval '1 day') RETURNING id`,
      [people.member.person.userId, organisationId, `${canary} export`, randomBytes(12).toString("hex")],
    ),
    session_id: await first("SELECT id FROM session WHERE user_id = $1 LIMIT 1", [people.member.person.userId]),
    batch_id: await first(
      `INSERT INTO batch (id, organisation_id, user_id, key_id, endpoint, input_file_id, metadata, created_at, expires_at)
       VALUES ('batch_' || $5, $1, $2, $3, '/v1/embeddings', 'file-of-nobody', jsonb_build_object('name', $4::text), now(), now() + interval '1 year')
       RETURNING id`,
      [organisationId, people.member.person.userId, keyId, `${canary} batch`, randomBytes(16).toString("hex")],
    ),
    conv_id: await first(
      `INSERT INTO conversation (organisation_id, key_id, user_id, session_id, model, started_at, last_at)
       VALUES ($1, $2, $3, $4, $4, now(), now()) RETURNING id`,
      [organisationId, keyId, people.member.person.userId, `${canary} conversation`],
    ),
    token,
  };
  return { canary, organisationId, people, objects, fingerprint: () => fingerprintOf(sql, organisationId) };
}

/** Ids that no object has. */
export const MISSING: Readonly<Record<string, string>> = {
  org_id: "1999999999",
  department_id: "1999999999",
  job: "no-such-job",
  model_id: "no-such-model",
  user_id: "1999999999",
  key_id: "1999999999",
  project_id: "1999999999",
  grant_id: "1999999999",
  provider_id: "1999999999",
  route_id: "1999999999",
  month: "1999-11",
  seq: "1999999999",
  call_id: "00000000-0000-4000-8000-000000000002",
  request_id: "1999999999",
  event_id: "evt_nobodys",
  pm_id: "pm_nobodys",
  operation_id: "00000000-0000-4000-8000-000000000003",
  invite_id: "1999999999",
  report_id: "1999999999",
  schedule_id: "1999999999",
  run_id: "1999999999",
  job_id: `exp_${"9".repeat(24)}`,
  session_id: "1999999999",
  batch_id: `batch_${"9".repeat(32)}`,
  conv_id: "1999999999",
  token: "nothing-has-this-token",
};

/** Creates a schedule with a finished run. */
async function aSchedule(
  sql: Portal["sql"],
  { organisationId, userId, canary }: { organisationId: number; userId: number; canary: string },
): Promise<{ schedule_id: string; run_id: string }> {
  const [made] = await sql(
    `WITH report AS (
       INSERT INTO saved_report (user_id, organisation_id, visibility, name, question) VALUES ($1, $2, 'private', $3, '') RETURNING id
     ), schedule AS (
       INSERT INTO report_schedule (user_id, organisation_id, report_id, role, admin_mode, asked, format, cron, zone, by_mail, by_webhook, next_run_at)
       SELECT $1, $2, id, 'member', false, '{}', 'csv', '0 8 * * *', 'UTC', true, false, now() + interval '1 year' FROM report RETURNING id
     ), run AS (
       INSERT INTO report_schedule_run (schedule_id, period, status, finished_at) SELECT id, now(), 'done', now() FROM schedule RETURNING id
     ) SELECT (SELECT id FROM schedule)::text AS schedule_id, (SELECT id FROM run)::text AS run_id`,
    [userId, organisationId, `${canary} scheduled`],
  );
  return made as { schedule_id: string; run_id: string };
}

async function fingerprintOf(sql: Portal["sql"], organisationId: number): Promise<string> {
  const [row] = await sql(
    `SELECT md5(concat_ws('|',
       (SELECT string_agg((to_jsonb(u) - 'last_seen_at')::text, ',' ORDER BY u.id) FROM app_user u WHERE u.organisation_id = $1),
       (SELECT string_agg((to_jsonb(o))::text, ',') FROM organisation o WHERE o.id = $1),
       (SELECT string_agg((to_jsonb(d))::text, ',' ORDER BY d.id) FROM department d WHERE d.organisation_id = $1),
       (SELECT string_agg((to_jsonb(p))::text, ',' ORDER BY p.id) FROM project p WHERE p.organisation_id = $1),
       (SELECT string_agg((to_jsonb(m))::text, ',' ORDER BY m.project_id, m.user_id) FROM project_member m JOIN project p ON p.id = m.project_id WHERE p.organisation_id = $1),
       (SELECT string_agg((to_jsonb(i))::text, ',' ORDER BY i.id) FROM invite i WHERE i.organisation_id = $1),
       (SELECT string_agg((to_jsonb(c))::text, ',' ORDER BY c.id) FROM conversation c WHERE c.organisation_id = $1),
       (SELECT string_agg(b.id || coalesce(b.cancelling_at::text, ''), ',' ORDER BY b.id) FROM batch b WHERE b.organisation_id = $1),
       (SELECT string_agg((to_jsonb(k))::text, ',' ORDER BY k.id) FROM api_key k WHERE k.organisation_id = $1),
       (SELECT string_agg((to_jsonb(s) - 'last_seen_at')::text, ',' ORDER BY s.id) FROM session s JOIN app_user u ON u.id = s.user_id WHERE u.organisation_id = $1),
       (SELECT string_agg((to_jsonb(r))::text, ',' ORDER BY r.id) FROM saved_report r WHERE r.organisation_id = $1),
       (SELECT string_agg((to_jsonb(e))::text, ',' ORDER BY e.id) FROM report_export e WHERE e.organisation_id = $1),
       (SELECT string_agg((to_jsonb(s))::text || coalesce(n.reviewed_at::text, ''), ',' ORDER BY s.id) FROM report_schedule s LEFT JOIN report_schedule_run n ON n.schedule_id = s.id WHERE s.organisation_id = $1),
       (SELECT string_agg((to_jsonb(b))::text, ',' ORDER BY b.id) FROM budget b WHERE b.organisation_id = $1),
       (SELECT string_agg((to_jsonb(a))::text, ',' ORDER BY a.id) FROM ledger_account a WHERE a.organisation_id = $1)
     )) AS fingerprint`,
    [organisationId],
  );
  return row.fingerprint;
}

/** Creates a finished call with one of the tenant's keys. */
async function aRequest(
  sql: Portal["sql"],
  call: { organisationId: number; keyId: number; userId: number; canary: string },
): Promise<string> {
  const [{ id }] = await sql(
    `INSERT INTO usage_event (request_id, organisation_id, key_id, user_id, wallet_id, exempt, held, endpoint, requested_model, model,
       supplier, region, stream, input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, token_source,
       outcome, cost, charged, price_version, status, attempts, started_at, latency_ms, settled_at)
     VALUES (gen_random_uuid(), $1, $2, $3, 0, true, false, 'chat/completions', $4, $4, 'sandbox', 'global', false, 1, 0, 0, 1, 0,
       'supplier', 'complete', 0, 0, 0, 200, '[]', now(), 1, now()) RETURNING id`,
    [call.organisationId, call.keyId, call.userId, `${call.canary} model`],
  );
  return String(id);
}

/** Creates a saved card. Returns its id at the payment processor. */
async function aCard(sql: Portal["sql"], userId: number, name: string): Promise<string> {
  const id = `pm_${name}${userId}`;
  await sql("INSERT INTO processor_customer (user_id, customer_id, default_method_id) VALUES ($1, $2, $3)", [
    userId,
    `cus_${id}`,
    id,
  ]);
  await sql(
    "INSERT INTO payment_method (id, user_id, brand, last4, exp_month, exp_year) VALUES ($1, $2, 'visa', '4242', 12, 2040)",
    [id, userId],
  );
  return id;
}

/** Creates a failed charge of a person's card. */
async function anAutoTopup(
  sql: Portal["sql"],
  { organisationId, userId }: { organisationId: number; userId: number },
): Promise<string> {
  const [{ id }] = await sql(
    `WITH wallet AS (SELECT wallet_open('user', $1::int, $2::int, false) AS id), setting AS (
       INSERT INTO auto_topup_setting (wallet_id, version, user_id, active, threshold, amount, day_limit, month_limit)
       SELECT id, 1, $1, false, 1, 10000000, 10000000, 10000000 FROM wallet RETURNING id, wallet_id), paid AS (
       INSERT INTO payment (id, wallet_id, organisation_id, user_id, livemode, amount, fee, subtotal_cents, state)
       SELECT gen_random_uuid(), id, $2, $1, false, 10000000, 0, 1, 'failed' FROM wallet RETURNING id)
     INSERT INTO auto_topup_operation (id, wallet_id, setting_id, user_id, customer_id, method_id, available, state, ended_at)
     SELECT paid.id, setting.wallet_id, setting.id, $1, 'cus_none', 'pm_none', 0, 'failed', now() FROM paid CROSS JOIN setting
     RETURNING id`,
    [userId, organisationId],
  );
  return id;
}
