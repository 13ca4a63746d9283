import { expect, test } from "vitest";
import { refusedFields } from "./refused-fields";

test("the cursor stands in the first field at fault, and what was typed in every field", () => {
  const form = { fields: { password: "Too short.", email: "Not an address." }, sent: { name: "Ada", email: "ada" } };
  const fieldOf = refusedFields(form, ["name", "email", "password"]);
  expect(fieldOf("name")).toEqual({ problem: undefined, defaultValue: "Ada", autoFocus: false });
  expect(fieldOf("email")).toEqual({ problem: "Not an address.", defaultValue: "ada", autoFocus: true });
  expect(fieldOf("password")).toEqual({ problem: "Too short.", defaultValue: undefined, autoFocus: false });
  expect(refusedFields(null, ["name"])("name").autoFocus).toBe(false);
});
