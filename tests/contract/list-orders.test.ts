import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { KEY_SORTS } from "~/domain/keys/shared";
import { ORGANISATION_SORTS } from "~/domain/organisations/shared";
import { PEOPLE_SORTS } from "~/domain/people/shared";
import { REQUEST_SORTS } from "~/domain/request-log/shared";
import { filesUnder, ROOT } from "./source-tree";

// The order by email is the one of searches.
const WITHOUT_A_COLUMN: ReadonlySet<string> = new Set(["email"]);

test.each([
  ["keys/KeyTable.tsx", Object.keys(KEY_SORTS)],
  ["admin/users/PeopleTable.tsx", Object.keys(PEOPLE_SORTS)],
  ["admin/organisations/page.tsx", Object.keys(ORGANISATION_SORTS)],
  ["request-log/RequestTable.tsx", [...REQUEST_SORTS]],
])("every order that the database knows is the one of a column, and no other: %s", (file, orders) => {
  const text = readFileSync(join(ROOT, "app/routes/dashboard", file), "utf8");
  const columns = [...text.matchAll(/\bsort: "(\w+)"/g)].map(([, name]) => name);
  expect(columns.toSorted()).toEqual(orders.filter((name) => !WITHOUT_A_COLUMN.has(name)).toSorted());
});

test("a list that has further pages is never sorted by the page", () => {
  const paged = filesUnder("app/routes", /\.tsx$/).filter(
    ({ text }) => /<Pager\b/.test(text) && /<DataTable\b/.test(text) && /^\s+value: \(/m.test(text),
  );
  expect(paged.map(({ path }) => path)).toEqual([]);
});
