import { createHash, randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Runs SQL on the database of the gw under test. */
// biome-ignore lint/suspicious/noExplicitAny: rows of any shape
export type Sql = (query: string, parameters?: unknown[]) => Promise<any[]>;

export type Role = "owner" | "platform_admin" | "org_admin" | "department_admin" | "member" | "viewer";

export type PersonFields = {
  role?: Role;
  /** By default the operator's organisation, which is the first. */
  organisationId?: number;
  departmentId?: number | null;
  email?: string;
  name?: string;
  status?: "active" | "suspended" | "archived" | "deleted";
  /** False for an unconfirmed address. */
  verified?: boolean;
  /** False if the person has not accepted the current terms. */
  terms?: boolean;
  language?: string | null;
};

export type Person = { userId: number; organisationId: number; email: string; role: Role };

/** Creates an organisation with its own wallet. */
export async function addOrganisation(sql: Sql, name = `Organisation ${word()}`): Promise<number> {
  const [row] = await sql("INSERT INTO organisation (name, slug) VALUES ($1, $2) RETURNING id", [
    name,
    `org-${word()}`,
  ]);
  await sql("SELECT wallet_open('organisation', $1::int, $1::int, false)", [row.id]);
  return row.id;
}

export async function addDepartment(sql: Sql, organisationId: number, name = `Department ${word()}`): Promise<number> {
  const [row] = await sql("INSERT INTO department (organisation_id, name) VALUES ($1, $2) RETURNING id", [
    organisationId,
    name,
  ]);
  return row.id;
}

/** Creates a person without a password. */
export async function addPerson(sql: Sql, fields: PersonFields = {}): Promise<Person> {
  const { role = "member", email = `${role}-${word()}@example.com`, verified = true, terms = true } = fields;
  const organisationId = fields.organisationId ?? (await sql("SELECT min(id)::int AS id FROM organisation"))[0].id;
  const [row] = await sql(
    `INSERT INTO app_user (email, name, organisation_id, department_id, role, status, language, email_verified_at, terms_version, terms_accepted_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
    [
      email,
      fields.name ?? `Person ${word()}`,
      organisationId,
      fields.departmentId ?? null,
      role,
      fields.status ?? "active",
      fields.language ?? null,
      verified ? new Date() : null,
      terms ? termsInForce() : null,
      terms ? new Date() : null,
    ],
  );
  return { userId: row.id, organisationId, email, role };
}

/** Signs a person in without a password. Returns the value of the session's cookie, `gw_session` on plain http. */
export async function openSession(
  sql: Sql,
  { userId, role }: Pick<Person, "userId" | "role">,
  view: { adminMode?: boolean } = {},
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest();
  const admin = view.adminMode ?? !["member", "viewer"].includes(role);
  await sql(
    "INSERT INTO session (token_hash, user_id, admin_mode, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')",
    [hash, userId, admin],
  );
  return token;
}

/** Returns the current version of the terms, which people must have accepted. */
function termsInForce(): string {
  const versions = ["terms", "aup", "privacy"].map(
    (name) =>
      readdirSync(fileURLToPath(new URL(`../../app/legal/${name}`, import.meta.url)))
        .map((file) => file.replace(/\.md$/, ""))
        .toSorted()
        .at(-1) as string,
  );
  return versions.toSorted().at(-1) as string;
}

const word = () => randomBytes(5).toString("hex");
