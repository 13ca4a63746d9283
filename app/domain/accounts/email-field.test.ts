import { expect, test } from "vitest";
import { EmailField } from "./shared";

test("an address is trimmed and in lower case", () => {
  expect(EmailField.parse("  Ada@Example.COM ")).toBe("ada@example.com");
});

test.each(["bo\u212a@example.com", "\u0130da@example.com", "\uff41da@example.com", "\u0430da@example.com"])(
  "%j, which looks like another address, does not become that one",
  (address) => expect(EmailField.safeParse(address).success).toBe(false),
);

test("an empty field is asked for", () => {
  expect(EmailField.safeParse(" ").error?.issues[0]?.message).toBe("problems:enterEmail");
});
