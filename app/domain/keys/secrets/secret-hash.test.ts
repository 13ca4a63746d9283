import { afterEach, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { hashOfSecret, possibleHashesOf } from "./secret-hash";

const OLD = "a-secret-for-tests-only-0123456789abcdef";
const NEW = "another-secret-for-tests-0123456789abcdef";
const KEY = `gw_${"0".repeat(43)}2CZclj`;

const useSecrets = (...secrets: string[]) => setConfig(readConfig({ GW_SECRET: secrets.join(",") }));

afterEach(() => useSecrets(OLD));

test("the stored hash is HMAC-SHA256 under a pepper derived from GW_SECRET", () => {
  useSecrets(OLD);
  expect(hashOfSecret(KEY).toString("hex")).toBe("19cb97294f91b8d8384e0990932ab43fd86784c94a21eb2984a696447ac9b909");
});

test("with several GW_SECRETs new hashes use the first, and all are tried", () => {
  useSecrets(OLD);
  const stored = hashOfSecret(KEY);
  useSecrets(NEW, OLD);
  expect(hashOfSecret(KEY)).not.toEqual(stored);
  expect(possibleHashesOf(KEY)).toEqual([hashOfSecret(KEY), stored]);
});

test("a secret that is gone opens nothing", () => {
  useSecrets(OLD);
  const stored = hashOfSecret(KEY);
  useSecrets(NEW);
  expect(possibleHashesOf(KEY)).not.toContainEqual(stored);
});
