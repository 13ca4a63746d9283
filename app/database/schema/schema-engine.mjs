import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum, DriverAdapterError } from "@prisma/driver-adapter-utils";
import pg from "pg";

/** @typedef {import("@prisma/schema-engine-wasm").SchemaEngine} SchemaEngine */
/** @typedef {{ SchemaEngine: typeof import("@prisma/schema-engine-wasm").SchemaEngine, __wbg_set_wasm(exports: WebAssembly.Exports): void }} Bindings */

// The bindings are one module with one instance behind it: a second instance would break the first.
/** @type {Promise<Bindings> | null} */
let loaded = null;

/**
 * Lends `work` Prisma's own schema engine, as WebAssembly, bound to the database that `connection` leads to. A process
 * that has used it keeps some 30 MB of it for as long as it lives, so the server leaves it to one that ends.
 * @template Result
 * @param {import("pg").ClientConfig} connection
 * @param {(engine: SchemaEngine) => Promise<Result>} work
 * @param {{ datamodels?: [string, string][], begin?: string, schema?: string, scripts?: Map<string, string[]>, onProblem?: (code: string) => void }} [given] `begin`: sent first;
 *   `schema`: of the tables, without it `public`; `scripts`: statements sent in place of a script, in order; `onProblem` gets the server's code when one of them fails
 * @returns {Promise<Result>}
 */
export async function withSchemaEngine(
  connection,
  work,
  { datamodels, begin, schema, scripts = new Map(), onProblem = () => undefined } = {},
) {
  loaded ??= loadBindings();
  const bindings = await loaded;
  const onConnect = async (/** @type {pg.ClientBase} */ client) => void (begin && (await client.query(begin)));
  const pool = new pg.Pool({ ...connection, max: 1, onConnect });
  const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool, { schema, scripts, onProblem }));
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, adapter);
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

/** @returns {Promise<Bindings>} */
async function loadBindings() {
  const bindings = /** @type {any} */ (await import("@prisma/schema-engine-wasm/schema_engine_bg"));
  const path = createRequire(import.meta.url)
    .resolve("@prisma/schema-engine-wasm")
    .replace(/[^/\\]+$/, "schema_engine_bg.wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(path), {
    "./schema_engine_bg.js": bindings,
  });
  bindings.__wbg_set_wasm(instance.exports);
  /** @type {{ __wbindgen_start?: () => void }} */ (instance.exports).__wbindgen_start?.();
  return bindings;
}

/** Prisma's adapter, made fit for the schema engine, which nothing but tests seems to run through it. */
class WholeScripts extends PrismaPg {
  #scripts;
  #onProblem;

  /** @param {pg.Pool} pool @param {{ schema?: string, scripts: Map<string, string[]>, onProblem: (code: string) => void }} options */
  constructor(pool, { schema, scripts, onProblem }) {
    // The engine looks for its table of migrations in this schema only.
    super(pool, { schema });
    this.#scripts = scripts;
    this.#onProblem = onProblem;
  }

  /** @override */
  async connect() {
    const adapter = await super.connect();
    // The adapter cuts a script at every semicolon, also inside of a function's body. Here it goes to the server whole.
    adapter.executeScript = async (script) => {
      try {
        for (const sent of this.#scripts.get(script) ?? [script]) await adapter.underlyingDriver().query(sent);
      } catch (error) {
        this.#onProblem(/** @type {{ code?: string }} */ (error).code ?? "");
        throw new DriverAdapterError(asDriverError(error));
      }
    };
    readInternalCharacters(adapter);
    return adapter;
  }
}

// The one-byte type of PostgreSQL's catalogue tables. The adapter refuses it, and the engine needs it for a comparison.
const INTERNAL_CHARACTER = 18;
const TEXT = 25;

/** @param {any} adapter */
function readInternalCharacters(adapter) {
  const [performIO, queryRaw] = [adapter.performIO.bind(adapter), adapter.queryRaw.bind(adapter)];
  /** @type {number[]} */
  let found = [];
  /** @param {unknown} query */
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    found = result.fields.flatMap((/** @type {{ dataTypeID: number }} */ field, /** @type {number} */ index) =>
      field.dataTypeID === INTERNAL_CHARACTER ? [index] : [],
    );
    for (const index of found) result.fields[index].dataTypeID = TEXT;
    return result;
  };
  /** @param {unknown} query */
  adapter.queryRaw = async (query) => {
    const rows = await queryRaw(query);
    for (const index of found) rows.columnTypes[index] = ColumnTypeEnum.Character;
    return rows;
  };
}

/** @param {unknown} problem @returns {import("@prisma/driver-adapter-utils").MappedError} */
function asDriverError(problem) {
  const { code, severity, message, detail, hint } = /** @type {Record<string, string | undefined>} */ (problem);
  if (code === undefined || severity === undefined) throw problem;
  return { kind: "postgres", code, severity, message: message ?? "", detail, column: undefined, hint };
}
