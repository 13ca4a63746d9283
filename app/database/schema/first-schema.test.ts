import { expect, test } from "vitest";
import { firstSchema } from "./first-schema";

const schemaOf = (...texts: string[]) =>
  firstSchema(new Map(texts.map((text, index) => [`${index}/schema.sql`, text])), []);

test("tables that refer to each other are made before their foreign keys, and triggers last", () => {
  const sql = schemaOf(
    `-- Depots; and parcels.

-- One's own.
CREATE TABLE depot (
  id serial PRIMARY KEY,
  -- In a circle; see parcel.
  newest_id integer REFERENCES parcel(id) ON DELETE SET NULL,
  CONSTRAINT pair FOREIGN KEY (id, newest_id) REFERENCES parcel(depot_id, id)
) WITH (fillfactor=50);
CREATE TRIGGER fixed BEFORE UPDATE ON depot FOR EACH ROW EXECUTE FUNCTION fixed();
`,
    "CREATE TABLE parcel (\n  id integer PRIMARY KEY\n);\nINSERT INTO parcel (id) VALUES\n  (1);\n",
  );
  const order = [
    "CREATE TABLE depot (\n  id serial PRIMARY KEY,\n  newest_id integer\n) WITH (fillfactor=50);",
    "CREATE TABLE parcel (",
    "INSERT INTO parcel",
    "ALTER TABLE depot ADD FOREIGN KEY (newest_id) REFERENCES parcel(id) ON DELETE SET NULL;",
    "ALTER TABLE depot ADD CONSTRAINT pair FOREIGN KEY (id, newest_id) REFERENCES parcel(depot_id, id);",
    "CREATE TRIGGER fixed",
  ].map((text) => sql.indexOf(text));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test("a line that claims a table, a type or a domain makes none: its migration does", () => {
  expect(schemaOf("CREATE TABLE parcel ();\nCREATE DOMAIN weight ();\n\nCREATE TYPE size ();\n")).not.toMatch(
    /parcel|weight|size/,
  );
});
