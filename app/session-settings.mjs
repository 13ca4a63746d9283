/**
 * What every session of this program begins with, whatever the server, the database or the role say: the values that its SQL and its
 * drivers take for granted. A setting that a server does not know is left out; one that has its value already is not touched, so
 * that a role which may not set it is no obstacle. `default_transaction_read_only`, planner settings and table spaces are the operator's.
 * @type {Readonly<Record<string, string>>}
 */
const SETTINGS = {
  // Prisma's driver writes moments without an offset, and cuts the offset off what it reads.
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
  // Rows that a policy hides are an error, not rows that are missing from a sum.
  row_security: "off",
  // Triggers guard the ledger.
  session_replication_role: "origin",
  // Statements that have to end in time get a limit of their own, by those who send them.
  statement_timeout: "0",
  lock_timeout: "0",
  transaction_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  idle_session_timeout: "0",
  // Compiling a plan takes longer than any statement, hundreds of milliseconds, on estimates that are too high.
  jit: "off",
};

const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "''")}'`;

const values = [
  ...Object.entries(SETTINGS).map(([name, value]) => `(${quoted(name)}, ${quoted(value)})`),
  // What is acknowledged has to be on a disk. Which disks besides, where there are standbys, is the operator's choice.
  "('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END)",
];

/** SQL: one statement that gives a session these settings. All of them last as long as the session. */
const SESSION_SETTINGS = `SELECT set_config(name, value, false) FROM (VALUES ${values.join(", ")}) setting (name, value)
WHERE current_setting(name, true) IS DISTINCT FROM value AND current_setting(name, true) IS NOT NULL`;

/** How the schemas are called in which releases keep their SQL functions, as a regular expression. */
export const FUNCTION_SCHEMA = "gw_functions_[0-9a-f]{12}";

/**
 * SQL for the schema that has this program's tables: of those on the search path the first that has them, else the first there is. A schema
 * that is made later, and comes before on the path, changes nothing.
 */
export const TABLES_SCHEMA = `coalesce((SELECT s.name FROM unnest(current_schemas(false)) WITH ORDINALITY s(name, rank)
WHERE s.name !~ '^(${FUNCTION_SCHEMA}|pg_.*)$'
ORDER BY to_regclass(format('%I.repeatable_script', s.name)) IS NULL, s.rank LIMIT 1), 'public')`;

/**
 * SQL: what a session begins with. It finds the functions of a build, where one is named, in front of the tables, and what is temporary
 * behind both. `schema`: the one with the tables, where it is known.
 * @param {{ functions?: string | null, schema?: string | null }} [path]
 */
export function sessionSql({ functions = null, schema = null } = {}) {
  const first = functions === null ? "" : `${functions}, `;
  const tables = schema === null ? TABLES_SCHEMA : quoted(schema);
  return `${SESSION_SETTINGS}; SELECT set_config('search_path', ${quoted(first)} || format('%I, pg_temp', ${tables}), false)`;
}
