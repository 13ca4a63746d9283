import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ConfigError } from "../config/error";
import { connection } from "./db.server";

test("an address is all that the driver is told, and it has no say in anything else", () => {
  const address =
    "postgresql://gw:p%23@db.example.com/gw?statement_timeout=5000&max=1&types=x&application_name=x&sslmode=require";
  const { types, ...settings } = connection(address);
  expect(settings).toEqual({
    host: "db.example.com",
    user: "gw",
    password: "p#",
    database: "gw",
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: "gw",
    ssl: {},
  });
  expect(types?.getTypeParser(20)("9007199254740993")).toBe(9007199254740993n);
});

test("TLS takes the files that the address names, and says which one cannot be read", () => {
  const folder = mkdtempSync(join(tmpdir(), "gw-ca-"));
  try {
    for (const name of ["ca", "cert", "key"]) writeFileSync(join(folder, name), name);
    const files = `sslcert=${folder}/cert&sslkey=${folder}/key&sslpassword=s%20s`;
    const tlsOf = (query: string) => connection(`postgresql://h/d?${query}`).ssl;
    expect(tlsOf(`sslmode=verify-full&sslrootcert=${folder}/ca&${files}`)).toEqual({
      ...{ ca: "ca", cert: "cert", key: "key", passphrase: "s s" },
    });
    expect(tlsOf(`sslmode=verify-ca&sslrootcert=${folder}/ca`)).toMatchObject({ ca: "ca", anyName: true });
    expect(tlsOf(`sslmode=no-verify&sslrootcert=${folder}/ca`)).toEqual({ rejectUnauthorized: false });
    expect(tlsOf("sslmode=disable")).toBe(false);
    expect(() => tlsOf(`sslmode=verify-full&sslrootcert=${folder}/none`)).toThrow(
      new ConfigError(
        `the file ${folder}/none, which the address of the database has as sslrootcert, cannot be read: ENOENT`,
      ),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
