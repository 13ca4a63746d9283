import { beforeAll, expect, test } from "vitest";
import { declarationOf } from "~/http/declaration";
import { operationsOf } from "~/openapi/operations-of";
import type { ServedRow } from "~/openapi/shared";
import { AUTHORISATION, RECENT_PROOF } from "./authorisation-table";
import { servedRows } from "./served-rows";

/** The declared minimum role of each operation that declares one or is below the sign-in layout. */
let served: Map<string, string | undefined>;
let rows: ServedRow[];
const isBehindSignIn = (path: string) => path.startsWith("/dashboard") || path.startsWith("/api/");

beforeAll(async () => {
  rows = await servedRows();
  served = new Map(
    rows.flatMap((row) =>
      operationsOf(row).flatMap(({ method, path }) => {
        const allow = declarationOf(method === "GET" ? row.module.loader : row.module.action)?.allow;
        if (allow === undefined && !isBehindSignIn(path)) return [];
        return [[`${method} ${path}`, allow] as const];
      }),
    ),
  );
}, 180_000);

test("every operation of the portal stands in the written table, and nothing else does", () => {
  expect([...served.keys()].toSorted()).toEqual([...AUTHORISATION.keys()].toSorted());
});

test("every operation is declared for the least rank that is written", () => {
  const wrong = [...served].flatMap(([operation, allow]) => {
    const written = AUTHORISATION.get(operation)?.least;
    // An operation without a declaration relies on its layout, which requires only a sign-in.
    return (allow ?? "signed-in") === written ? [] : [`${operation}: declared ${allow}, written ${written}`];
  });
  expect(wrong).toEqual([]);
});

test("every act that asks for a recent proof stands in the table of ranks", () => {
  expect([...RECENT_PROOF.keys()].filter((operation) => !AUTHORISATION.has(operation))).toEqual([]);
});
