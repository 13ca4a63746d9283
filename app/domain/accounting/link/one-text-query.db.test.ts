import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSqlClient } from "~/connection/db.server";
import { type Books, openBooks } from "../../../../tests/support/accounting";
import { OneTextQuery, type SqlValue } from "./one-text-query";

let books: Books;
let client: pg.Client;
beforeAll(async () => {
  books = await openBooks();
  client = await newSqlClient();
});
afterAll(async () => {
  await client.end();
  await books.close();
});

const ask = (name: string, text: string, ...values: SqlValue[]) =>
  new Promise<string>((resolve, reject) => {
    const statement = { name, text };
    client.query(
      new OneTextQuery(statement, values, (failure, answer) => (failure ? reject(failure) : resolve(answer))),
    );
  });

test("values of every kind travel as they are, each time the statement is used", async () => {
  const text = "SELECT json_build_array($1::int, $2::bigint, $3::boolean, $4::text, $5::text)::text";
  const words = `quotes ' " \\, {braces}, ünïcödé 東京 ${"long ".repeat(20_000)}`;
  for (const flag of [true, false])
    expect(JSON.parse(await ask("one_kinds", text, 7, 2n ** 60n, flag, words, null))).toEqual([
      7,
      Number(2n ** 60n),
      flag,
      words,
      null,
    ]);
});

test("no row and NULL are the empty text", async () => {
  expect(await ask("one_null", "SELECT NULL::text")).toBe("");
  expect(await ask("one_none", "SELECT 'row' WHERE $1::boolean", false)).toBe("");
  expect(await ask("one_none", "SELECT 'row' WHERE $1::boolean", true)).toBe("row");
});

test("an error is that statement's alone, whether it cannot be prepared or carried out", async () => {
  await expect(ask("one_wrong", "SELECT nothing_of_that_name")).rejects.toMatchObject({ code: "42703" });
  const divide = "SELECT (10 / $1::int)::text";
  const answers = await Promise.allSettled([
    ask("one_divide", divide, 0),
    ask("one_divide", divide, 5),
    ask("one_divide", divide, "x"),
    ask("one_wrong", "SELECT 'prepared after all'"),
  ]);
  expect(answers).toMatchObject([
    { status: "rejected", reason: { code: "22012" } },
    { status: "fulfilled", value: "2" },
    { status: "rejected", reason: { code: "22P02" } },
    { status: "fulfilled", value: "prepared after all" },
  ]);
});

test("statements of pg itself go on beside it on the same connection", async () => {
  const [{ rows }, text] = await Promise.all([client.query("SELECT 1 AS one"), ask("one_beside", "SELECT 'two'")]);
  expect([rows, text]).toEqual([[{ one: 1 }], "two"]);
});

test("a statement whose connection ends is told so once", async () => {
  const other = await newSqlClient();
  const failures: (Error | null)[] = [];
  const ended = new Promise<void>((resolve) => {
    other.query(
      new OneTextQuery({ name: "one_ended", text: "SELECT pg_sleep(20)::text" }, [], (failure) => {
        failures.push(failure);
        resolve();
      }),
    );
  });
  other.connection.stream.destroy();
  await ended;
  expect(failures).toEqual([expect.any(Error)]);
  const after = await new Promise((resolve) => {
    other.query(new OneTextQuery({ name: "one_after", text: "SELECT 'late'" }, [], resolve));
  });
  expect(after).toBeInstanceOf(Error);
});
