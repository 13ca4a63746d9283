import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newTablesClient } from "~/connection/db.server";
import { freshDatabase, type TestDatabase } from "../../../tests/support/database";
import { projectFile } from "../project-files";
import { pictureOf, readPicture } from "./schema-picture";

const shown = readPicture(projectFile("app"));
let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await freshDatabase();
  client = await newTablesClient(database.url);
});
afterAll(async () => {
  await client.end();
  await database.close();
});

/** The picture after `sql`, in the files `earlier`; the changes are rolled back. */
async function pictureAfter(sql: string, earlier = shown) {
  await client.query(sql);
  try {
    return await pictureOf(client, earlier);
  } finally {
    await client.query("DROP TABLE IF EXISTS parcel, depot; DROP DOMAIN IF EXISTS weight");
  }
}

test("the schema.sql of each room shows what the migrations make; `npm run migrate -- picture` writes it", async () => {
  const picture = await pictureOf(client, shown);
  for (const [file, text] of picture) expect(text, file).toBe(shown.get(file));
  expect(picture.size).toBeGreaterThan(15);
});

test("a table belongs to one room: the one whose file has a line for it", async () => {
  const parcel = "CREATE TABLE parcel (id integer)";
  await expect(pictureAfter(parcel)).rejects.toThrow(
    'no room has parcel: write "CREATE TABLE parcel ();" into the schema.sql of its room, then npm run migrate -- picture',
  );
  const claimed = new Map([
    ...shown,
    ["mail/schema.sql", `${shown.get("mail/schema.sql")}\nCREATE TABLE parcel ();\n`],
  ]);
  expect((await pictureAfter(parcel, claimed)).get("mail/schema.sql")).toContain(
    "\nCREATE TABLE parcel (\n  id integer\n);\n",
  );
  const twice = new Map([...claimed, ["jobs/schema.sql", "CREATE TABLE parcel ();\n"]]);
  await expect(pictureAfter(parcel, twice)).rejects.toThrow("parcel is in jobs/schema.sql and in mail/schema.sql");
});

test("a table is written as a person would write it, with the comments that its file has", async () => {
  const sql = `CREATE DOMAIN weight AS integer CHECK (VALUE > 0);
    CREATE TABLE depot (id serial PRIMARY KEY, name text NOT NULL UNIQUE);
    CREATE TABLE parcel (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, depot_id integer NOT NULL REFERENCES depot ON DELETE CASCADE,
      kind text COLLATE "C" NOT NULL DEFAULT 'box' CHECK (kind IN ('box', 'it''s a bag')), weight weight, at timestamptz(3) DEFAULT now(),
      UNIQUE (kind, weight), CONSTRAINT light CHECK (kind <> 'box' OR weight < 5)) WITH (fillfactor = 50);
    ALTER TABLE parcel ADD double integer GENERATED ALWAYS AS (weight * 2) STORED;
    ALTER TABLE parcel ADD CONSTRAINT late CHECK (at IS NOT NULL) NOT VALID;
    CREATE INDEX parcel_at ON parcel (at DESC) WHERE kind = 'box';
    CREATE TRIGGER parcel_fixed BEFORE UPDATE ON parcel FOR EACH ROW EXECUTE FUNCTION forbid_change();
    INSERT INTO depot (name) VALUES ('north'), ('south''s');`;
  const file = `-- Parcels.

-- In grams.
CREATE DOMAIN weight ();
-- Where parcels wait.
CREATE TABLE depot ();
CREATE TABLE parcel (
  -- Two lines
  -- of text.
  kind
  -- It is gone.
  colour
);
-- For the list.
CREATE INDEX parcel_at;
`;
  const picture = await pictureAfter(sql, new Map([...shown, ["parcels/schema.sql", file]]));
  expect(picture.get("parcels/schema.sql")).toBe(`-- Parcels.

-- In grams.
CREATE DOMAIN weight AS integer CHECK (VALUE > 0);

-- Where parcels wait.
CREATE TABLE depot (
  id serial PRIMARY KEY,
  name text NOT NULL UNIQUE
);
INSERT INTO depot (name) VALUES
  ('north'), ('south''s');

CREATE TABLE parcel (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  depot_id integer NOT NULL REFERENCES depot(id) ON DELETE CASCADE,
  -- Two lines
  -- of text.
  kind text COLLATE "C" NOT NULL DEFAULT 'box' CHECK (kind IN ('box', 'it''s a bag')),
  weight weight,
  at timestamptz(3) DEFAULT now(),
  double integer GENERATED ALWAYS AS (weight::integer * 2) STORED,
  UNIQUE (kind, weight),
  CONSTRAINT late CHECK (at IS NOT NULL),
  CONSTRAINT light CHECK (kind <> 'box' OR weight::integer < 5)
) WITH (fillfactor=50);
-- For the list.
CREATE INDEX parcel_at ON parcel (at DESC) WHERE kind = 'box';
CREATE TRIGGER parcel_fixed BEFORE UPDATE ON parcel FOR EACH ROW EXECUTE FUNCTION forbid_change();
`);
});
