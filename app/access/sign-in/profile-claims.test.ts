import { describe, expect, test } from "vitest";
import { profileClaims } from "./profile-claims";

const fields = { subject: "id", email: "email", emailVerified: "verified", name: "name" };
const asked = { fields, emailsVerified: false };
const profile = { id: 7, email: "Ada@acme.example", verified: true, name: " Ada " };

test("a profile says who somebody is", () => {
  const claims = { subject: "7", email: "ada@acme.example", told: profile.email, emailVerified: true, name: "Ada" };
  expect(profileClaims(asked, profile, null)).toEqual(claims);
});

describe("an address is verified", () => {
  test.each([true, "true", "1"])("by %j in the field that the operator has named", (verified) => {
    expect(profileClaims(asked, { ...profile, verified }, null).emailVerified).toBe(true);
  });

  test.each([false, "yes", 1, "TRUE", null, { true: true }, [true]])("not by %j", (verified) => {
    expect(profileClaims(asked, { ...profile, verified }, null).emailVerified).toBe(false);
  });

  test("by nothing when the operator has named no field", () => {
    const unnamed = { ...asked, fields: { ...fields, emailVerified: null } };
    expect(profileClaims(unnamed, profile, null).emailVerified).toBe(false);
    expect(profileClaims({ ...unnamed, emailsVerified: true }, profile, null).emailVerified).toBe(true);
  });

  test("by its own entry in the list, not by the profile or by another address", () => {
    const emails = [
      { email: "other@acme.example", verified: true },
      { email: "own@acme.example", primary: true },
    ];
    expect(profileClaims(asked, profile, emails)).toMatchObject({ email: "own@acme.example", emailVerified: false });
  });

  test("never where there is none", () => {
    const word = { fields, emailsVerified: true };
    expect(profileClaims(word, { id: 7, email: "no address" }, null)).toMatchObject({
      email: null,
      emailVerified: false,
    });
  });
});

test.each([null, undefined, "", " ", "a b", true, 1.5, 2 ** 53, {}, [7], "x".repeat(256)])("%j names nobody", (id) => {
  expect(() => profileClaims(asked, { ...profile, id }, null)).toThrow("names nobody");
});

test("fields are looked for in objects of the answer only", () => {
  const inherited = { ...asked, fields: { ...fields, subject: "constructor.name" } };
  expect(() => profileClaims(inherited, profile, null)).toThrow("names nobody");
  const nested = { ...asked, fields: { ...fields, subject: "data.id" } };
  expect(profileClaims(nested, { ...profile, data: { id: "u-1" } }, null).subject).toBe("u-1");
});
