/**
 * Settings at the start of every session, overriding those of the server, the database and the role: the values that
 * gw's SQL and its drivers require. A setting that the server does not know is skipped. A setting that already has its
 * value is not set, so that a role without the right to set it still works. The operator decides on
 * `default_transaction_read_only`, planner settings and table spaces.
 * @type {Readonly<Record<string, string>>}
 */
const SETTINGS = {
  // Prisma's driver writes times without an offset, and drops the offset of times that it reads.
  TimeZone: "UTC",
  timezone_abbreviations: "Default",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  extra_float_digits: "1",
  client_encoding: "UTF8",
  standard_conforming_strings: "on",
  backslash_quote: "safe_encoding",
  array_nulls: "on",
  transform_null_equals: "off",
  quote_all_identifiers: "off",
  xmlbinary: "base64",
  xmloption: "content",
  gin_fuzzy_search_limit: "0",
  restrict_nonsystem_relation_kind: "",
  exit_on_error: "off",
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  // Rows that a policy hides must cause an error, instead of being silently missing from a sum.
  row_security: "off",
  // Triggers protect the ledger, so they must fire.
  session_replication_role: "origin",
  // No general limits: callers set a limit for statements that must end in time.
  statement_timeout: "0",
  lock_timeout: "0",
  transaction_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  idle_session_timeout: "0",
  // Just-in-time compilation takes hundreds of milliseconds, longer than any statement, and starts because cost
  // estimates are too high.
  jit: "off",
};

const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "''")}'`;

const values = [
  ...Object.entries(SETTINGS).map(([name, value]) => `(${quoted(name)}, ${quoted(value)})`),
  // Acknowledged writes must be on disk. With standbys, the operator chooses on which other disks too.
  "('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END)",
];

/** SQL: one statement that applies these settings until the end of the session. */
const SESSION_SETTINGS = `SELECT set_config(name, value, false) FROM (VALUES ${values.join(", ")}) setting (name, value)
WHERE current_setting(name, true) IS DISTINCT FROM value AND current_setting(name, true) IS NOT NULL`;

/** Names of the schemas with the SQL functions of releases, as a regular expression. */
export const FUNCTION_SCHEMA = "gw_functions_[0-9a-f]{12}";

/**
 * SQL for the schema of gw's tables: the first one on the search path that has them, else the first existing one. A
 * schema that is created later, even earlier in the path, has no effect.
 */
export const TABLES_SCHEMA = `coalesce((SELECT s.name FROM unnest(current_schemas(false)) WITH ORDINALITY s(name, rank)
WHERE s.name !~ '^(${FUNCTION_SCHEMA}|pg_.*)$'
ORDER BY to_regclass(format('%I.repeatable_script', s.name)) IS NULL, s.rank LIMIT 1), 'public')`;

/**
 * Returns the SQL that begins a session. Its search path has the functions of a build, if requested, then the tables,
 * then temporary objects. `schema`: schema of the tables, if known.
 * @param {{ functions?: string | null, schema?: string | null }} [path]
 */
export function sessionSql({ functions = null, schema = null } = {}) {
  const first = functions === null ? "" : `${functions}, `;
  const tables = schema === null ? TABLES_SCHEMA : quoted(schema);
  return `${SESSION_SETTINGS}; SELECT set_config('search_path', ${quoted(first)} || format('%I, pg_temp', ${tables}), false)`;
}
