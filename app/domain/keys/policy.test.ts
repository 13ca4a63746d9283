import { expect, test } from "vitest";
import { denialReason, isConcerned, type KnownSecret, statusOf } from "./policy";
import type { Caller } from "./shared";

const NEVER = Number.POSITIVE_INFINITY;
const caller: Caller = {
  keyId: 7,
  publicId: "key_7",
  kind: "inference",
  organisationId: 1,
  userId: 3,
  departmentId: null,
  projectId: 5,
  allowedModels: [],
  allowedRegions: [],
  rateLimitRpm: null,
  walletId: 9,
  exempt: false,
  limited: true,
};
const aSecret = (fields: Partial<KnownSecret>): KnownSecret => ({
  caller,
  keyStatus: "active",
  userActive: true,
  expiresAtMs: NEVER,
  replacedAtMs: NEVER,
  ...fields,
});

test.each([
  ["an active key may be used", {}, null],
  ["a revoked one is no key any more", { keyStatus: "revoked", expiresAtMs: 0 }, "invalid_api_key"],
  ["a suspended one says so", { keyStatus: "suspended", expiresAtMs: 0 }, "account_status"],
  ["so does one whose user is suspended", { userActive: false }, "account_status"],
  ["an expired one says so, from that millisecond on", { expiresAtMs: 1_000 }, "expired_api_key"],
  ["the last millisecond is still good", { expiresAtMs: 1_001 }, null],
  ["a replaced secret works to the end of the overlap", { replacedAtMs: 1_001 }, null],
  ["and not a millisecond longer", { replacedAtMs: 1_000 }, "invalid_api_key"],
] as const)("%s", (_name, fields, code) => {
  expect(denialReason(aSecret(fields), 1_000)).toBe(code);
});

test("expired follows from the date; what was set wins", () => {
  const now = new Date(1_000);
  expect(statusOf({ status: "active", expiresAt: null }, now)).toBe("active");
  expect(statusOf({ status: "active", expiresAt: new Date(1_000) }, now)).toBe("expired");
  expect(statusOf({ status: "suspended", expiresAt: new Date(0) }, now)).toBe("suspended");
  expect(statusOf({ status: "revoked", expiresAt: new Date(0) }, now)).toBe("revoked");
});

test("a change of a budget concerns the callers it counts, and everybody when it does not say whose it is", () => {
  expect(isConcerned(caller, "key:7")).toBe(true);
  expect(isConcerned(caller, "key:8")).toBe(false);
  expect(isConcerned(caller, "project:5")).toBe(true);
  expect(isConcerned(caller, "department:1")).toBe(false);
  expect(isConcerned(caller, undefined)).toBe(true);
  expect(isConcerned(caller, "something else")).toBe(true);
  expect(isConcerned(caller, "constructor:1")).toBe(true);
});
