import type pg from "pg";
import { expect, test } from "vitest";
import { ConfigError } from "~/config/error";
import { requireVersion } from "./suitable-server";

const on = (product: string, version: number) =>
  requireVersion({ query: async () => ({ rows: [{ product, version }] }) } as unknown as pg.Client);

test.each([
  ["PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc, 64-bit", 15],
  ["PostgreSQL 16.4 on aarch64-unknown-linux-gnu, compiled by gcc (GCC) 9.5.0, 64-bit", 16],
  ["PostgreSQL 17.2 (EnterpriseDB Advanced Server 17.2.0) on x86_64-pc-linux-gnu", 17],
])("%s serves", async (product, version) => {
  await expect(on(product, version)).resolves.toBeUndefined();
});

test.each([
  ["PostgreSQL 14.9 on x86_64-pc-linux-gnu", 14, "the database is PostgreSQL 14"],
  ["PostgreSQL 12.22 (Ubuntu 12.22-0ubuntu0.20.04.4) on x86_64", 12, "the database is PostgreSQL 12"],
  [
    "CockroachDB CCL v24.1.3 (x86_64-pc-linux-gnu, built 2024/08/01)",
    13,
    "the database is CockroachDB CCL v24.1.3, which is no PostgreSQL",
  ],
  [
    "PostgreSQL 15.12-YB-2025.1.0.0-b0 on x86_64",
    15,
    "the database is PostgreSQL 15.12-YB-2025.1.0.0-b0, which is no PostgreSQL",
  ],
  ["PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.77467", 8, "the database is PostgreSQL 8"],
])("%s is refused in one line", async (product, version, message) => {
  await expect(on(product, version)).rejects.toThrow(ConfigError);
  await expect(on(product, version)).rejects.toThrow(message);
  await expect(on(product, version)).rejects.toThrow("gw needs PostgreSQL 15 or newer");
});
