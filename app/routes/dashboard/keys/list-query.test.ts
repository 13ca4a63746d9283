import { expect, test } from "vitest";
import { KeyListQuery } from "./list-query.server";

test.each(["q", "model"])("%s is trimmed, and refused where the database could not search for it", (name) => {
  const read = (value: string) => KeyListQuery.safeParse({ [name]: value });
  const { filter } = read("  fast ").data!;
  expect(name === "q" ? filter.search : filter.model).toBe("fast");
  for (const text of ["\0", "a\0b", "x".repeat(201)]) expect(read(text).success).toBe(false);
});
