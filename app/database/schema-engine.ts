import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { PrismaPg } from "@prisma/adapter-pg";
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
  type MappedError,
} from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { connection } from "~/db.server";

export type { MigrationDirectory, SchemaContainer, SchemaEngine } from "@prisma/schema-engine-wasm";

// The bindings are one module with one instance behind it: a second instance would break the first.
let loaded: Promise<Bindings> | null = null;

/**
 * Lends `work` Prisma's own schema engine, as WebAssembly, bound to the database at `url`. It takes about 100 ms and 20 MB
 * to load, so this module is imported only when there is a migration to apply or to write.
 */
export async function withSchemaEngine<Result>(
  url: string,
  work: (engine: SchemaEngine) => Promise<Result>,
  datamodels?: [string, string][],
): Promise<Result> {
  loaded ??= loadBindings();
  const bindings = await loaded;
  const pool = new pg.Pool({ ...connection(url), max: 1 });
  const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScripts(pool));
  const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, adapter);
  try {
    return await work(engine);
  } finally {
    engine.free();
    await pool.end();
  }
}

async function loadBindings(): Promise<Bindings> {
  const bindings = (await import("@prisma/schema-engine-wasm/schema_engine_bg")) as unknown as Bindings;
  const path = createRequire(import.meta.url)
    .resolve("@prisma/schema-engine-wasm")
    .replace(/[^/\\]+$/, "schema_engine_bg.wasm");
  const { instance } = await WebAssembly.instantiate(readFileSync(path), {
    "./schema_engine_bg.js": bindings as never,
  });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports as { __wbindgen_start?: () => void }).__wbindgen_start?.();
  return bindings;
}

type Bindings = { SchemaEngine: typeof SchemaEngine; __wbg_set_wasm(exports: WebAssembly.Exports): void };

/** Prisma's adapter, made fit for the schema engine, which nothing but tests seems to run through it. */
class WholeScripts extends PrismaPg {
  override async connect() {
    const adapter = await super.connect();
    // The adapter cuts a script at every semicolon, also inside of a function's body. Here it goes to the server whole.
    adapter.executeScript = async (script) => {
      try {
        await adapter.underlyingDriver().query(script);
      } catch (problem) {
        throw new DriverAdapterError(asDriverError(problem));
      }
    };
    readInternalCharacters(adapter as unknown as Readable);
    return adapter;
  }
}

// The one-byte type of PostgreSQL's catalogue tables. The adapter refuses it, and the engine needs it for a comparison.
const INTERNAL_CHARACTER = 18;
const TEXT = 25;

type Readable = {
  performIO(query: unknown): Promise<pg.QueryArrayResult>;
  queryRaw(query: unknown): Promise<{ columnTypes: number[] }>;
};

function readInternalCharacters(adapter: Readable): void {
  const [performIO, queryRaw] = [adapter.performIO.bind(adapter), adapter.queryRaw.bind(adapter)];
  let found: number[] = [];
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    found = result.fields.flatMap((field, index) => (field.dataTypeID === INTERNAL_CHARACTER ? [index] : []));
    for (const index of found) result.fields[index]!.dataTypeID = TEXT;
    return result;
  };
  adapter.queryRaw = async (query) => {
    const rows = await queryRaw(query);
    for (const index of found) rows.columnTypes[index] = ColumnTypeEnum.Character;
    return rows;
  };
}

function asDriverError(problem: unknown): MappedError {
  const { code, severity, message, detail, hint } = problem as Record<string, string | undefined>;
  if (code === undefined || severity === undefined) throw problem;
  return { kind: "postgres", code, severity, message: message ?? "", detail, column: undefined, hint };
}
