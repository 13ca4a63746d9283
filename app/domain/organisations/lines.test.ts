import { expect, test } from "vitest";
import { DepartmentName, ProjectDescription } from "./shared";

test("a description has several lines, and nothing that the database cannot keep", () => {
  expect(ProjectDescription.safeParse("one\r\ntwo\tthree").success).toBe(true);
  expect(ProjectDescription.safeParse("").success).toBe(true);
  for (const text of ["a\0b", "a\ud800", "a\u202eb"]) expect(ProjectDescription.safeParse(text).success).toBe(false);
});

test("a name has one line that can be read", () => {
  expect(DepartmentName.safeParse("Forschung & Entwicklung").success).toBe(true);
  for (const text of ["a\nb", "a\ud800", "a\u202eb", "\u200b"])
    expect(DepartmentName.safeParse(text).success).toBe(false);
});
