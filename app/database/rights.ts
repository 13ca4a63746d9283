import pg from "pg";
import { functionSchema } from "./schema/function-schema";

/** One privilege on one object: whether the server needs it, and whether the role has it. */
export type Right = {
  kind: "schema" | "table" | "sequence" | "function";
  /** Name in SQL form, quoted where needed. */
  name: string;
  privilege: string;
  /** Column of an UPDATE privilege, which is checked by column. */
  column: string | null;
  wanted: boolean;
  has: boolean;
};

/**
 * Functions of triggers that reject the operation that fires them. The server never needs such an operation, so its
 * role gets no privilege for it: a migration that makes a table append-only needs no further declaration.
 */
const REFUSING = ["forbid_change", "act_fixed", "usage_event_fixed", "ledger_account_guard", "audit_chain_guard"];

const RIGHTS = `
WITH here AS (
  SELECT n.oid, n.nspname FROM pg_namespace n
   WHERE n.nspname IN (coalesce((SELECT schemaname FROM pg_tables WHERE tablename = '_prisma_migrations' ORDER BY schemaname = current_schema() DESC LIMIT 1), 'public'), $3)
), relation AS (
  SELECT c.oid, format('%I.%I', h.nspname, c.relname) AS name, c.relkind AS kind, c.relname IN ('_prisma_migrations', 'repeatable_script') AS read_only
    FROM pg_class c JOIN here h ON h.oid = c.relnamespace
   WHERE c.relkind IN ('r', 'p', 'v', 'S') AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e')
), refusal AS (
  -- The bits of a trigger's type: 4 before an insert, 8 before a delete, 16 before an update.
  SELECT t.tgrelid, bool_or(t.tgtype & 4 > 0) AS inserts, bool_or(t.tgtype & 8 > 0) AS deletes,
         bool_or(t.tgtype & 16 > 0 AND cardinality(t.tgattr::int2[]) = 0) AS updates
    FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
   WHERE NOT t.tgisinternal AND p.proname = ANY ($2) GROUP BY t.tgrelid
), refused_column AS (
  SELECT t.tgrelid, unnest(t.tgattr::int2[]) AS attnum
    FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
   WHERE NOT t.tgisinternal AND p.proname = ANY ($2) AND t.tgtype & 16 > 0
)
SELECT 'schema' AS kind, format('%I', nspname) AS name, privilege, NULL AS "column", privilege = 'USAGE' AS wanted,
       has_schema_privilege($1, oid, privilege) AS has
  FROM here CROSS JOIN unnest(ARRAY['USAGE', 'CREATE']) privilege
UNION ALL
SELECT 'table', r.name, privilege, NULL,
       CASE WHEN privilege = 'SELECT' THEN true WHEN r.kind = 'v' OR r.read_only THEN false
            WHEN privilege = 'INSERT' THEN NOT coalesce(f.inserts, false) WHEN privilege = 'DELETE' THEN NOT coalesce(f.deletes, false)
            ELSE false END,
       has_table_privilege($1, r.oid, privilege)
  FROM relation r LEFT JOIN refusal f ON f.tgrelid = r.oid
 CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
 WHERE r.kind <> 'S'
UNION ALL
SELECT 'table', r.name, 'UPDATE', format('%I', a.attname),
       NOT r.read_only AND NOT coalesce(f.updates, false)
         AND NOT EXISTS (SELECT FROM refused_column x WHERE x.tgrelid = r.oid AND x.attnum = a.attnum),
       has_column_privilege($1, r.oid, a.attnum, 'UPDATE')
  FROM relation r LEFT JOIN refusal f ON f.tgrelid = r.oid JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
 WHERE r.kind IN ('r', 'p')
UNION ALL
SELECT 'sequence', r.name, privilege, NULL, privilege = 'USAGE', has_sequence_privilege($1, r.oid, privilege)
  FROM relation r CROSS JOIN unnest(ARRAY['USAGE', 'UPDATE']) privilege WHERE r.kind = 'S'
UNION ALL
-- Functions of triggers need no right to run; one that runs with its owner's rights must not stand behind anybody's trigger.
SELECT 'function', format('%I.%I(%s)', h.nspname, p.proname, pg_get_function_identity_arguments(p.oid)), 'EXECUTE', NULL,
       p.prorettype <> 'trigger'::regtype, has_function_privilege($1, p.oid, 'EXECUTE')
  FROM pg_proc p JOIN here h ON h.oid = p.pronamespace
 WHERE p.prokind = 'f' AND (p.prorettype <> 'trigger'::regtype OR p.prosecdef)
   AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
ORDER BY kind, name, privilege, "column"`;

/** Returns every privilege that matters to the server of this build, for an existing role. Any role may call this. */
export async function rightsOf(client: pg.Client, role: string): Promise<Right[]> {
  return (await client.query<Right>(RIGHTS, [role, REFUSING, functionSchema()])).rows;
}

export const missingIn = (rights: readonly Right[]): Right[] => rights.filter(({ wanted, has }) => wanted && !has);
export const excessRights = (rights: readonly Right[]): Right[] => rights.filter(({ wanted, has }) => !wanted && has);

/** Returns a summary, such as "DELETE on api_key and 12 more". */
export function describeRights(rights: readonly Right[]): string {
  const named = [
    ...new Set(
      rights.map(({ privilege, name }) => `${privilege} on ${name.replace(/^(?:public|gw_functions_\w+)\./, "")}`),
    ),
  ];
  return named.length <= 3 ? named.join(", ") : `${named.slice(0, 3).join(", ")} and ${named.length - 3} more`;
}

/**
 * Returns the SQL that grants a role the privileges that the server needs and revokes the others; empty when nothing
 * has to change. Tables that are created later get the privileges of ordinary tables until this runs again.
 */
export async function rightsSql(client: pg.Client, role: string): Promise<string[]> {
  const to = pg.escapeIdentifier(role);
  const rights = await rightsOf(client, role);
  const objects = new Map<string, Right[]>();
  for (const right of rights) {
    const object = `${right.kind.toUpperCase()} ${right.name}`;
    objects.set(object, [...(objects.get(object) ?? []), right]);
  }
  const statements = [...objects].flatMap(([object, all]) =>
    all.every(({ wanted, has }) => wanted === has) ? [] : statementsFor(object, all, to),
  );
  return [...statements, ...(await defaultsSql(client, role))];
}

function statementsFor(object: string, rights: readonly Right[], to: string): string[] {
  const required = rights.filter((right) => right.wanted);
  const tableWide = required.filter(({ column }) => column === null).map(({ privilege }) => privilege);
  const columns = rights.filter(({ column }) => column !== null);
  const writable = columns.filter((right) => right.wanted).map(({ column }) => column);
  if (columns.length > 0 && writable.length === columns.length) tableWide.push("UPDATE");
  return [
    `REVOKE ALL ON ${object} FROM ${to}`,
    ...(tableWide.length > 0 ? [`GRANT ${tableWide.join(", ")} ON ${object} TO ${to}`] : []),
    ...(writable.length > 0 && writable.length < columns.length
      ? [`GRANT UPDATE (${writable.join(", ")}) ON ${object} TO ${to}`]
      : []),
  ];
}

const DEFAULTS = `
SELECT format('%I', pg_get_userbyid(t.relowner)) AS owner, format('%I', n.nspname) AS schema,
       (SELECT count(DISTINCT d.defaclobjtype) FROM pg_default_acl d CROSS JOIN aclexplode(d.defaclacl) x
         WHERE d.defaclrole = t.relowner AND d.defaclnamespace = n.oid AND x.grantee = (SELECT oid FROM pg_roles WHERE rolname = $1)
           AND d.defaclobjtype IN ('r', 'S'))::int AS given
  FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
 WHERE t.relname = '_prisma_migrations' AND t.relkind = 'r' ORDER BY n.nspname = current_schema() DESC LIMIT 1`;

/** Default privileges let a running server work between a migration and the grants that follow it. */
async function defaultsSql(client: pg.Client, role: string): Promise<string[]> {
  const { rows } = await client.query<{ owner: string; schema: string; given: number }>(DEFAULTS, [role]);
  const [here] = rows;
  if (here === undefined || here.given === 2) return [];
  const begin = `ALTER DEFAULT PRIVILEGES FOR ROLE ${here.owner} IN SCHEMA ${here.schema} GRANT`;
  const to = pg.escapeIdentifier(role);
  return [`${begin} SELECT, INSERT, UPDATE, DELETE ON TABLES TO ${to}`, `${begin} USAGE ON SEQUENCES TO ${to}`];
}
