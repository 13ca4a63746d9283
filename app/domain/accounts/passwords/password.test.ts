import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { SetupForm } from "../shared";
import { hashPassword, verifyPassword } from "./password";

test("a hash names its algorithm and cost, and differs each time", async () => {
  const [first, second] = await Promise.all([hashPassword("correct horse"), hashPassword("correct horse")]);
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(first).not.toBe(second);
  expect(await verifyPassword(first, "correct horse")).toBe(true);
  expect(await verifyPassword(first, "Correct horse")).toBe(false);
});

test("without a hash, or with a password beyond the limit, the answer is no", async () => {
  expect(await verifyPassword(null, "nobody's password")).toBe(false);
  expect(await verifyPassword(await hashPassword(""), "x".repeat(10_000))).toBe(false);
});

test("a crowd is turned away instead of queued without end, and everybody else is served", async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 45 }, () => hashPassword("several words")));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused).toHaveLength(45 - 32 - Math.max(1, Math.min(2, availableParallelism() - 1)));
  for (const { reason } of refused)
    expect(reason).toMatchObject({ code: "rate_limit_exceeded", status: 429, retryAfterSeconds: 3 });
  expect(await hashPassword("one more")).toContain("$argon2id$");
});

describe("the set-up form", () => {
  const problems = (fields: object) =>
    SetupForm.safeParse({
      email: "ada@example.com",
      name: "Ada",
      password: "several words",
      ...fields,
    }).error?.issues.map(({ path }) => path[0]);

  test("takes an address in any case and keeps the password as typed", () => {
    const form = SetupForm.parse({ email: "  Ada@Example.COM ", name: " Ada ", password: "  several words  " });
    expect(form).toEqual({ email: "ada@example.com", name: "Ada", password: "  several words  " });
  });

  test.each([
    [{ password: "nine char" }, "password"],
    [{ password: "aaaaaaaaaaaa" }, "password"],
    [{ password: "ü".repeat(20) + "abcde".repeat(20) }, "password"],
    [{ password: "my ADA@example.com!" }, "password"],
    [{ email: "ada" }, "email"],
    [{ email: "" }, "email"],
    [{ email: ["ada@example.com"] }, "email"],
    [{ name: "   " }, "name"],
    [{ name: "A\u0000da" }, "name"],
  ])("refuses %j", (fields, field) => {
    expect(problems(fields)).toContain(field);
  });
});
