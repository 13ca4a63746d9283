import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { instructionsOf, isIgnored } from "../../scripts/dockerfile.mjs";
import { SHIPPED } from "../../scripts/ship.mjs";
import { filesUnder } from "./source-tree";

const instructions = instructionsOf(readFileSync("Dockerfile", "utf8"));
const rules = readFileSync(".dockerignore", "utf8");
const last = instructions.slice(instructions.findLastIndex(({ name }) => name === "FROM"));
const lastOf = (wanted: string) => last.filter(({ name }) => name === wanted).at(-1)?.value;

const isShipped = (path: string) =>
  SHIPPED.some(({ path: shipped, files }) =>
    path === shipped
      ? files === undefined
      : path.startsWith(`${shipped}/`) && (files?.test(path.slice(shipped.length + 1)) ?? true),
  );

/** Read only by `npm run migrate -- new`, which needs the sources anyway. */
const OF_DEVELOPMENT = ["prisma/schema"];

test("what the program reads beside its bundle is shipped", () => {
  const sources = filesUnder("app", /(?<!\.test)\.(ts|mjs)$/);
  const read = sources.flatMap(({ text }) => [...text.matchAll(/projectFile\("([^"]+)"\)/g)].map(([, path]) => path!));
  expect(read).toContain("prisma/migrations");
  const roots = SHIPPED.map(({ path }) => path);
  const lacking = read.filter(
    (path) => !isShipped(path) && !roots.some((root) => root === path || root.startsWith(`${path}/`)),
  );
  expect(lacking.filter((path) => !OF_DEVELOPMENT.includes(path))).toEqual([]);
});

test("every SQL script and the tables of a room, every migration and what the processes beside it import is shipped", () => {
  const needed = [
    ...filesUnder("app", /\.sql$/),
    ...filesUnder("prisma/migrations", /./),
    ...filesUnder("app/database", /\.mjs$/),
  ];
  expect(needed.length).toBeGreaterThan(20);
  expect(needed.map(({ path }) => path).filter((path) => !isShipped(path))).toEqual([]);
});

test("what the build writes into its bundles is no package of production", () => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: Record<string, string> };
  const [, bundled = ""] = /const BUNDLED = (\[.+?\n\];)/s.exec(readFileSync("vite.config.ts", "utf8")) ?? [];
  const names = [...bundled.matchAll(/"([^"]+)"/g)].map(([, name]) => name as string);
  expect(names).toContain("stripe");
  const fonts = Object.keys(dependencies).filter((name) => name.startsWith("@fontsource"));
  expect([...fonts, ...["lucide-react", ...names].filter((name) => name in dependencies)]).toEqual([]);
});

test("the last stage copies what is shipped and production's packages, and nothing of the sources", () => {
  const copies = last.filter(({ name }) => name === "COPY").map(({ value, flags }) => `${flags.from} ${value}`);
  expect(copies).toEqual(["packages /src/node_modules ./node_modules", "build /src/ship ./"]);
  expect(instructions.map(({ value }) => value).join("\n")).toMatch(/npm ci .*--omit=dev/);
});

test("the container is not root, has a health check, and gets signals itself", () => {
  expect(lastOf("USER")).toMatch(/^[1-9]\d*:[1-9]\d*$/);
  expect(lastOf("HEALTHCHECK")).toContain("/health");
  // A shell as the parent process would swallow SIGTERM, so that gw would not drain its requests.
  expect(last.filter(({ name }) => name === "CMD").map(({ json }) => json)).toEqual([
    ["node", "--max-semi-space-size=32", "scripts/start.mjs"],
  ]);
  expect(lastOf("ENV")).toContain("HOST=0.0.0.0");
  expect(lastOf("ENV")).toContain("MALLOC_TRIM_THRESHOLD_=131072");
});

test("images are named with a version, and nothing is fetched but packages", () => {
  const images = instructions.filter(({ name }) => name === "FROM").map(({ value }) => value.split(" ")[0]!);
  expect(images.filter((image) => !/^\w+:\d/.test(image))).toEqual([]);
  expect(instructions.filter(({ name, value }) => name === "ADD" || /curl|wget/.test(value))).toEqual([]);
});

test.each([
  ".env",
  "data/secret",
  "gw.config.yaml",
  "node_modules/x/index.js",
  ".git/config",
  "build/server/index.js",
  "tests/a.test.ts",
  "app/values/money.test.ts",
  "app/generated/prisma/client.ts",
  "scripts/seed/seed.ts",
])("%s stays out of the builder", (path) => {
  expect(isIgnored(path, rules)).toBe(true);
});

test.each([
  "package-lock.json",
  "vite.config.ts",
  "tsconfig.json",
  "app/server.ts",
  "app/domain/accounting/sql/settle.sql",
  "app/legal/terms/2026-01-01.md",
  "prisma/schema/base.prisma",
  "scripts/prepare.mjs",
  "public/favicon.svg",
])("%s goes to the builder", (path) => {
  expect(isIgnored(path, rules)).toBe(false);
});

test("compose has no secret as a default, and waits for a healthy database", () => {
  const text = readFileSync("compose.yaml", "utf8");
  const { services } = parse(text) as { services: Record<string, Record<string, unknown>> };
  for (const name of ["POSTGRES_PASSWORD", "GW_SECRET"]) {
    const uses = [...text.matchAll(new RegExp(`\\$\\{${name}([^}]*)\\}`, "g"))];
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter(([, rest]) => !rest!.startsWith(":?"))).toEqual([]);
  }
  expect(services.gw?.depends_on).toEqual({ database: { condition: "service_healthy" } });
  expect(Object.values(services).filter(({ healthcheck }) => healthcheck === undefined)).toEqual([]);
});
