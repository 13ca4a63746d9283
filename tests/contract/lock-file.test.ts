import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Entry = {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
};
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };

test("the lock file names the packages of every system, or `npm ci` refuses it: node scripts/complete-lock.mjs", () => {
  const names = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + 13)));
  const asked = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
});

test("the lock file ties nobody to a registry", () => {
  expect(Object.values(packages).flatMap(({ resolved }) => resolved ?? [])).toEqual([]);
});

test("every package of every system has its integrity", () => {
  const lacking = Object.entries(packages).filter(([path, entry]) => path !== "" && !entry.link && !entry.integrity);
  expect(lacking.map(([path]) => path)).toEqual([]);
});

test("an integrity is a whole SHA-512", () => {
  const said = Object.values(packages).flatMap(({ integrity }) => integrity ?? []);
  expect(said.length).toBeGreaterThan(500);
  expect(said.filter((integrity) => !/^sha512-[0-9A-Za-z+/]{86}==$/.test(integrity))).toEqual([]);
});
