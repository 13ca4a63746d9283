import { expect, test } from "vitest";
import { checksumOf, formOf, generateSecret, randomDigits, shownParts } from "./secret";

test.each([
  ["123456789", "3jZRME"],
  ["0".repeat(43), "2CZclj"],
  ["A".repeat(43), "0DofJ8"],
  ["GatewayKeysHaveFortyThreeRandomDigits012345", "3JypUL"],
  ["RmNoSMIuUBH0JEis3V3o05cT0oeF8jPpldzOEbssdHB", "00vSSh"],
])("the checksum of %s is %s", (digits, checksum) => {
  expect(checksumOf(digits)).toBe(checksum);
});

test("a new secret is gw_, 43 digits and their checksum", () => {
  const secret = generateSecret();
  expect(secret).toMatch(/^gw_[0-9A-Za-z]{49}$/);
  expect(checksumOf(secret.slice(3, 46))).toBe(secret.slice(46));
  expect(formOf(secret)).toBe("checked");
});

test("no two secrets are alike", () => {
  expect(new Set(Array.from({ length: 1000 }, generateSecret)).size).toBe(1000);
});

test("one changed character is noticed without a database", () => {
  const secret = generateSecret();
  for (let at = 3; at < secret.length; at += 1) {
    const changed = secret.slice(0, at) + (secret[at] === "x" ? "y" : "x") + secret.slice(at + 1);
    expect(formOf(changed)).toBe("unchecked");
  }
});

test("a key that an operator made up is possible from 24 digits on", () => {
  expect(formOf(`gw_${"a".repeat(24)}`)).toBe("unchecked");
  expect(formOf(`gw_${"a".repeat(49)}`)).toBe("unchecked");
  expect(formOf(`gw_${"a".repeat(23)}`)).toBe("malformed");
});

test.each([
  "",
  "gw_",
  "sk-0123456789012345678901234567890",
  `gw_${"a".repeat(30)} `,
  `gw_${"a".repeat(20)}'; DROP--${"a".repeat(20)}`,
  `gw_${"a".repeat(300)}`,
  `GW_${"a".repeat(30)}`,
])("%j can be no key", (secret) => {
  expect(formOf(secret)).toBe("malformed");
});

test("little is shown again", () => {
  const secret = generateSecret();
  expect(shownParts(secret)).toEqual({ prefix: secret.slice(0, 7), last4: secret.slice(-4) });
});

test("random digits have the length that is asked for", () => {
  expect(randomDigits(16, 22)).toMatch(/^[0-9A-Za-z]{22}$/);
});
