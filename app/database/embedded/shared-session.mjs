/** The settings of a fresh session. */
const NONE = "[[],[]]";

/** Reads the settings and roles that a connection has set. Names are qualified, because its search path may be any. */
const SET_BY_SESSION = `SELECT pg_catalog.json_build_array(
  coalesce((SELECT pg_catalog.json_agg(pg_catalog.json_build_array(name, setting) ORDER BY name) FROM pg_catalog.pg_settings
     WHERE source = 'session' AND name NOT IN ('transaction_isolation', 'transaction_read_only', 'transaction_deferrable')), '[]'),
  coalesce((SELECT pg_catalog.json_agg(pg_catalog.json_build_array(name, value)) FROM (VALUES
     ('session_authorization', nullif(session_user::text, 'postgres')), ('role', nullif(pg_catalog.current_setting('role'), 'none'))) r (name, value)
     WHERE value IS NOT NULL), '[]'))::text AS settings`;

/** Discards other session state of guests; gw's own connections have no such state. */
const LEFT_BY_GUESTS = `UNLISTEN *; CLOSE ALL; DISCARD TEMP; SELECT pg_catalog.pg_advisory_unlock_all()`;

/**
 * Shares one session among connections as if each had its own. The seated connection is the one that uses the session.
 * Its settings are saved when another connection is seated, and restored when it is seated again. gw's own connections
 * all make the same settings in their first statement, so switching between them costs nothing. Every other connection
 * is a guest, such as psql, pg_dump or a table viewer.
 */
export class SharedSession {
  #database;
  #execute;
  #seated = null;
  /** Current settings of the session; null: unknown. */
  #current = null;
  #connections = new Set();
  #housekeeper = { isGuest: false, settings: NONE, names: new Map(), missing: new Set(), hasSat: false };

  /** `execute` sends protocol messages to the session and returns its response. */
  constructor(database, execute) {
    this.#database = database;
    this.#execute = execute;
  }

  join(connection) {
    Object.assign(connection, { settings: null, missing: new Set(), hasSat: false });
    this.#connections.add(connection);
  }

  /** Switches the session to a connection, outside a transaction; by default to the database process itself. */
  async seat(connection = this.#housekeeper) {
    if (this.#seated === connection) return;
    await this.#putAway();
    this.#seated = connection;
    connection.hasSat = true;
    await this.#apply(connection.settings ?? NONE);
    for (const name of connection.missing) await this.#execute(connection.names.get(name));
    connection.missing.clear();
  }

  /** Removes a connection and cleans up its session state, outside a transaction. */
  async leave(connection) {
    this.#connections.delete(connection);
    if (this.#seated === connection) {
      this.#current = connection.isGuest ? null : connection.settings;
      this.#seated = null;
    }
    if (!connection.isGuest) return this.#deallocate([...connection.names.keys()]);
    await this.seat();
    const here = await this.#prepared();
    await this.#deallocate([...connection.names.keys()].filter((name) => here.has(name)));
    if ([...this.#connections].some(({ isGuest, hasSat }) => isGuest && hasSat)) return;
    await this.#database.exec(LEFT_BY_GUESTS);
    await this.#deallocate([...here].flatMap(([name, isByHand]) => (isByHand ? [name] : [])));
  }

  async #putAway() {
    const leaving = this.#seated;
    if (leaving === null) return;
    if (leaving.isGuest || leaving.settings === null) leaving.settings = await this.#settings();
    this.#current = leaving.settings;
    if (!leaving.isGuest) return;
    // DEALLOCATE ALL and DISCARD ALL of a guest also delete the prepared statements of all other connections.
    const here = await this.#prepared();
    for (const each of this.#connections)
      for (const name of each.names.keys()) if (!here.has(name) && each !== leaving) each.missing.add(name);
  }

  async #apply(settings) {
    if (settings === this.#current) return;
    const [made, roles] = JSON.parse(settings);
    const all = [...made, ...roles].map(
      ([name, value]) => `SELECT pg_catalog.set_config(${literal(name)}, ${literal(value)}, false)`,
    );
    await this.#database.exec(["RESET ROLE", "SET SESSION AUTHORIZATION postgres", "RESET ALL", ...all].join(";\n"));
    this.#current = settings;
  }

  async #settings() {
    return (await this.#database.query(SET_BY_SESSION)).rows[0].settings;
  }

  /** Returns the prepared statements by name, and whether each was prepared with PREPARE. */
  async #prepared() {
    const { rows } = await this.#database.query("SELECT name, from_sql FROM pg_catalog.pg_prepared_statements");
    return new Map(rows.map(({ name, from_sql }) => [name, from_sql]));
  }

  async #deallocate(names) {
    for (const name of names)
      await this.#database.exec(`DEALLOCATE "${name.replaceAll('"', '""')}"`).catch(() => undefined);
  }
}

const literal = (text) => `E'${String(text).replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
