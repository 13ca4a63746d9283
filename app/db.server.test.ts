import { expect, test } from "vitest";
import { connection } from "./db.server";

test("an address that asks for TLS gets a checked certificate, unless it asks for PostgreSQL's own reading", () => {
  const modeIn = (query: string) =>
    /sslmode=([^&]*)/.exec(connection(`postgresql://gw@db.example.com/gw?${query}`).connectionString ?? "")?.[1];
  for (const mode of ["prefer", "require", "verify-ca", "verify-full"])
    expect(modeIn(`application_name=x&sslmode=${mode}`)).toBe("verify-full");
  expect(modeIn("sslmode=require&uselibpqcompat=true")).toBe("require");
  expect(modeIn("sslmode=no-verify")).toBe("no-verify");
  expect(modeIn("sslmode=disable")).toBe("disable");
});
