import type pg from "pg";
import { onTables } from "./function-schema";

export type Column = {
  name: string;
  type: string;
  required: boolean;
  /** "a": always, "d": by default, "": none. */
  identity: "a" | "d" | "";
  serial: boolean;
  generated: boolean;
  /** The default, or the expression of a generated column. */
  expression: string | null;
  /** Collation; null: that of the type. */
  collation: string | null;
  /** Storage mode; null: that of the type. */
  storage: string | null;
};

export type Constraint = {
  name: string;
  /** PostgreSQL's letter: p(rimary key), u(nique), c(heck), f(oreign key), x (exclusion). */
  kind: "p" | "u" | "c" | "f" | "x";
  definition: string;
  columns: string[];
};

export type Table = {
  name: string;
  options: string | null;
  columns: Column[];
  constraints: Constraint[];
  /** Statements that create the indexes without those of constraints, ordered by name. */
  indexes: string[];
  triggers: string[];
};

export type Domain = {
  name: string;
  type: string;
  collation: string | null;
  required: boolean;
  expression: string | null;
  constraints: Omit<Constraint, "kind" | "columns">[];
};

/** A composite type. */
export type Composite = { name: string; columns: Pick<Column, "name" | "type" | "collation">[] };

export type Catalogue = { tables: Table[]; domains: Domain[]; composites: Composite[] };

const COLUMNS = `
  SELECT a.attrelid, json_agg(json_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod),
           'required', a.attnotnull, 'identity', a.attidentity, 'generated', a.attgenerated <> '',
           'serial', r.relkind = 'r' AND a.attidentity = '' AND pg_get_serial_sequence(quote_ident(r.relname), a.attname) IS NOT NULL,
           'expression', pg_get_expr(d.adbin, d.adrelid, true),
           'collation', (SELECT quote_ident(collname) FROM pg_collation l WHERE l.oid = a.attcollation AND l.oid <> t.typcollation),
           'storage', CASE WHEN a.attstorage <> t.typstorage THEN
                        CASE a.attstorage WHEN 'p' THEN 'PLAIN' WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' ELSE 'EXTENDED' END END
         ) ORDER BY a.attnum) AS columns
    FROM pg_attribute a JOIN pg_class r ON r.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE r.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped GROUP BY a.attrelid`;

const TABLES = `
  WITH columns AS (${COLUMNS})
  SELECT quote_ident(c.relname) AS name, nullif(concat_ws(', ', array_to_string(c.reloptions, ', '),
      (SELECT string_agg('toast.' || option, ', ') FROM pg_class o, unnest(o.reloptions) option WHERE o.oid = c.reltoastrelid)), '') AS options, columns,
    coalesce((SELECT json_agg(json_build_object('name', quote_ident(k.conname), 'kind', k.contype, 'definition', pg_get_constraintdef(k.oid, true),
        'columns', ARRAY(SELECT quote_ident(a.attname) FROM unnest(k.conkey) WITH ORDINALITY u(number, rank)
                      JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.number ORDER BY u.rank)) ORDER BY array_position('{p,u,x,c,f}'::"char"[], k.contype), k.conname)
      FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'u', 'x', 'c', 'f')), '[]') AS constraints,
    coalesce((SELECT json_agg(pg_get_indexdef(i.indexrelid, 0, true) ORDER BY x.relname) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
      WHERE i.indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))), '[]') AS indexes,
    coalesce((SELECT json_agg(pg_get_triggerdef(g.oid, true) ORDER BY g.tgname) FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal), '[]') AS triggers
  FROM pg_class c JOIN columns ON attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' ORDER BY c.relname`;

const DOMAINS = `
  SELECT quote_ident(t.typname) AS name, format_type(t.typbasetype, t.typtypmod) AS type, t.typnotnull AS required, t.typdefault AS expression,
    (SELECT quote_ident(collname) FROM pg_collation l WHERE l.oid = t.typcollation AND l.oid <> b.typcollation) AS collation,
    coalesce((SELECT json_agg(json_build_object('name', quote_ident(k.conname), 'definition', pg_get_constraintdef(k.oid, true)) ORDER BY k.conname)
      FROM pg_constraint k WHERE k.contypid = t.oid AND k.contype = 'c'), '[]') AS constraints
  FROM pg_type t JOIN pg_type b ON b.oid = t.typbasetype
  WHERE t.typnamespace = current_schema()::regnamespace AND t.typtype = 'd' ORDER BY t.typname`;

const COMPOSITES = `
  WITH columns AS (${COLUMNS})
  SELECT quote_ident(c.relname) AS name, columns FROM pg_class c JOIN columns ON attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'c' ORDER BY c.relname`;

/** Reads the tables and types of the schema of the tables from PostgreSQL's catalogue, ordered by name. */
export async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  await client.query(`BEGIN READ ONLY; ${onTables("")}`);
  try {
    const { rows: tables } = await client.query<Table>(TABLES);
    const { rows: domains } = await client.query<Domain>(DOMAINS);
    const { rows: composites } = await client.query<Composite>(COMPOSITES);
    return { tables, domains, composites };
  } finally {
    await client.query("ROLLBACK");
  }
}
