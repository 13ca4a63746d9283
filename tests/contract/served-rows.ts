import type { RouteConfigEntry } from "@react-router/dev/routes";
import type { ServedRow } from "~/openapi/shared";
import table from "~/routes";

const modules = import.meta.glob<ServedRow["module"]>([
  "../../app/routes/**/*.{ts,tsx}",
  "!../../app/routes/**/routes.ts",
  "!../../app/routes/**/*.test.{ts,tsx}",
]);

type Row = { path: string; file: string };

const rowsIn = (entries: readonly RouteConfigEntry[], above: readonly string[] = []): Row[] =>
  entries.flatMap(({ path, index, file, children }) => {
    const parts = path === undefined ? above : [...above, path];
    const row = path !== undefined || index ? [{ path: parts.join("/"), file }] : [];
    return [...row, ...rowsIn(children ?? [], parts)];
  });

/** Returns every row of the route table with its loaded module. */
export async function servedRows(): Promise<ServedRow[]> {
  return Promise.all(
    rowsIn(table).map(async ({ path, file }) => {
      const load = modules[`../../app/${file}`];
      if (!load) throw new Error(`${file} is in the table, and there is no such module`);
      return { path, module: await load() };
    }),
  );
}
