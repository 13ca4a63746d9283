import { describe, expect, test } from "vitest";
import { type DatabaseAddress, readDatabaseAddress, withTlsOfEnvironment } from "./database-address";

const read = (text: string): DatabaseAddress => {
  const address = readDatabaseAddress(text);
  if ("mistake" in address) throw new Error(address.mistake);
  return address;
};
const mistakeIn = (text: string) => (readDatabaseAddress(text) as { mistake?: string }).mistake;
const waysOf = (query: string) => read(`postgresql://u:p@h/d?${query}`).ways.join();

/** Addresses as the consoles and documentation of providers show them. */
test.each<[string, string, Partial<DatabaseAddress>]>([
  [
    "Amazon RDS",
    "postgres://gw:p@gw.abc.eu-central-1.rds.amazonaws.com:5432/gw",
    { port: 5432, ways: ["off", "unchecked"] },
  ],
  ["Heroku", "postgres://u3x:pf9@ec2-1-2-3-4.compute-1.amazonaws.com:5432/d7", { ways: ["off", "unchecked"] }],
  [
    "Azure",
    "postgresql://gw%40srv:p@srv.postgres.database.azure.com:5432/gw?sslmode=require",
    { user: "gw@srv", ways: ["full"] },
  ],
  [
    "DigitalOcean",
    "postgresql://doadmin:AVNS_x@db-do-user-1-0.b.db.ondigitalocean.com:25060/defaultdb?sslmode=require",
    { port: 25060, ways: ["full"] },
  ],
  [
    "Aiven",
    "postgres://avnadmin:AVNS_x@pg-1.aivencloud.com:12691/defaultdb?sslmode=require",
    { database: "defaultdb", ways: ["full"] },
  ],
  [
    "Neon",
    "postgresql://o:npg_x@ep-cool-1.eu-central-1.aws.neon.tech/neondb?sslmode=require&channel_binding=require",
    { port: null, ways: ["full"], bindsChannel: true },
  ],
  [
    "Neon, endpoint by option",
    "postgres://o:p@h/neondb?options=endpoint%3Dep-cool-1",
    { options: "endpoint=ep-cool-1" },
  ],
  [
    "Supabase",
    "postgresql://postgres.abc:p@aws-0-eu-central-1.pooler.supabase.com:5432/postgres",
    { user: "postgres.abc" },
  ],
  [
    "Supabase for Prisma",
    "postgres://postgres.abc:p@aws-0.pooler.supabase.com:6543/postgres?pgbouncer=true&connection_limit=1&supa=base-pooler.x",
    { port: 6543, ignored: ["pgbouncer", "connection_limit", "supa"] },
  ],
  [
    "Cloud SQL by socket",
    "postgresql://gw:p%40ss@/gw?host=/cloudsql/proj:europe-west3:gw",
    { host: "/cloudsql/proj:europe-west3:gw", password: "p@ss", database: "gw", ways: ["off"] },
  ],
  [
    "Cloud SQL for Prisma",
    "postgresql://gw:p@localhost/gw?host=/cloudsql/proj:r:gw&sslmode=require",
    { host: "/cloudsql/proj:r:gw", ways: ["off"] },
  ],
  [
    "Cloud SQL and AlloyDB by address",
    "postgresql://gw:p@10.1.2.3/gw?sslmode=verify-ca&sslrootcert=/ca.pem&sslcert=/c.pem&sslkey=/k.pem",
    { ways: ["authority"], files: { sslrootcert: "/ca.pem", sslcert: "/c.pem", sslkey: "/k.pem" } },
  ],
  [
    "CockroachDB",
    "postgresql://gw:p@c-1.aws-eu-west-1.cockroachlabs.cloud:26257/defaultdb?sslmode=verify-full",
    { ways: ["full"] },
  ],
  [
    "YugabyteDB",
    "postgresql://admin:p@h:5433/yugabyte?ssl=true&sslmode=verify-full&sslrootcert=/root.crt",
    { port: 5433, ways: ["full"] },
  ],
  [
    "Crunchy Bridge",
    "postgres://application:p@p.abc.db.postgresbridge.com:5432/postgres?sslmode=verify-full&sslrootcert=system",
    { ways: ["full"], files: { sslrootcert: null, sslcert: null, sslkey: null } },
  ],
  ["Compose", "postgres://gw:p@database:5432/gw", { host: "database" }],
  [
    "a Unix socket in the host",
    "postgresql://gw@%2Fvar%2Frun%2Fpostgresql/gw",
    { host: "/var/run/postgresql", ways: ["off"] },
  ],
  ["the default host", "postgresql:///gw", { host: null, database: "gw" }],
  ["IPv6", "postgresql://gw:p@[2001:db8::1]:5433/gw", { host: "2001:db8::1", port: 5433 }],
  [
    "everything as a parameter",
    "postgresql:///?host=h&port=5433&user=u&password=a%26b&dbname=d",
    { host: "h", port: 5433, user: "u", password: "a&b", database: "d" },
  ],
  ["an address that is known already", "postgresql:///d?hostaddr=10.0.0.1", { host: "10.0.0.1" }],
  ["Prisma's schema", "postgresql://u:p@h/d?schema=own+app", { schema: "own app", ignored: [] }],
  ["a file with a plus sign", "postgresql://h/d?sslrootcert=/c++/ca.pem&password=a+b", { password: "a+b" }],
])("the address of %s is read as its users mean it", (_, text, parts) => {
  expect(read(text)).toMatchObject(parts);
});

test.each([
  ["p%23%2F%3F%40%3A%5B%25x", "p#/?@:[%x"],
  ["p@ss:w&o=r^d$!*", "p@ss:w&o=r^d$!*"],
  ["100%", "100%"],
  ["50%zz", "50%zz"],
  ["a+b", "a+b"],
  ["p%C3%A4ss", "päss"],
  ["päss wörd", "päss wörd"],
])("the password %s is %s", (written, password) => {
  expect(read(`postgresql://u:${written}@h:5432/d`)).toMatchObject({ user: "u", password, host: "h", database: "d" });
});

test("the name of a database is decoded, too", () => {
  expect(read("postgresql://u:p@h/a%2Fb%20c").database).toBe("a/b c");
});

describe("TLS", () => {
  test.each([
    ["", "off,unchecked"],
    ["sslmode=disable", "off"],
    ["sslmode=allow", "off,unchecked"],
    ["sslmode=prefer", "unchecked,off"],
    ["sslmode=prefer&sslrootcert=/ca", "authority,off"],
    ["sslmode=require", "full"],
    ["sslmode=REQUIRE", "full"],
    ["sslmode=verify-ca", "full"],
    ["sslmode=verify-ca&sslrootcert=/ca", "authority"],
    ["sslmode=verify-ca&sslrootcert=system", "full"],
    ["sslmode=verify-full&sslrootcert=/ca", "full"],
    ["sslmode=no-verify", "unchecked"],
    ["sslmode=no-verify&sslrootcert=/ca", "unchecked"],
    ["sslrootcert=/ca", "full"],
    ["ssl=true", "full"],
    ["ssl=1", "full"],
    ["ssl=false", "off"],
    ["ssl=0", "off"],
    ["ssl=require", "full"],
    ["ssl=no-verify", "unchecked"],
    ["ssl=true&sslmode=disable", "off"],
    ["sslmode=require&uselibpqcompat=true", "unchecked"],
    ["sslmode=require&uselibpqcompat=true&sslrootcert=/ca", "authority"],
    ["sslmode=require&sslaccept=accept_invalid_certs", "unchecked"],
    ["sslmode=require&sslaccept=strict", "full"],
    ["channel_binding=require", "full"],
    ["channel_binding=prefer", "off,unchecked"],
  ])("with %j goes by %s", (query, ways) => {
    expect(waysOf(query)).toBe(ways);
  });

  test("is what the environment says where the address says nothing", () => {
    const environment = { PGSSLMODE: "verify-full", PGSSLROOTCERT: "/my ca.pem\n" };
    expect(read(withTlsOfEnvironment("postgresql://h/d", environment))).toMatchObject({
      ways: ["full"],
      files: { sslrootcert: "/my ca.pem" },
    });
    expect(withTlsOfEnvironment("postgresql://h/d?sslmode=disable", { PGSSLMODE: "require" })).toBe(
      "postgresql://h/d?sslmode=disable",
    );
    expect(read(withTlsOfEnvironment("postgresql://h/d?ssl=false&schema=a", environment))).toMatchObject({
      ways: ["off"],
      schema: "a",
    });
  });
});

test.each([
  ["psql 'postgresql://u:p@h/d'", "without psql in front"],
  ["postgresql+asyncpg://u:p@h/d", "without the name of a driver"],
  ["prisma+postgres://h/?api_key=x", "must be a postgresql:// address"],
  ["postgresql://u:p@a,b/d", "several hosts"],
  ["postgresql://u:p@/d?host=a,b", "several hosts"],
  ["postgresql://u:p@ss#1@h/d", "percent-encoded"],
  ["postgresql://u:p@ss/1@h/d", "percent-encoded"],
  ["postgresql://u:p@ss?1@h/d", "percent-encoded"],
  ["postgresql://u:12?ss=1@h/d", "percent-encoded"],
  ["postgresql://h:0/d", "port"],
  ["postgresql://h/d?port=http", "port"],
  ["postgresql://2001:db8::1/d", "cannot be read"],
  ["postgresql://h/d?sslmode=on", "sslmode that is none of disable, allow, prefer"],
  ["postgresql://h/d?sslcert=/c.pem", "needs both sslcert and sslkey"],
  ["postgresql://h/d?sslcrl=/crl.pem", "has sslcrl"],
  ["postgresql:///?service=gw", "has service"],
  ["postgresql://h/d?gssencmode=require", "TLS only"],
  ["postgresql://h/d?target_session_attrs=read-only", "only reads"],
  ["postgresql://h/d?channel_binding=require&sslmode=prefer", "channel_binding=require"],
  ["postgresql://h/d?connect_timeout=10s", "connect_timeout"],
])("%s is refused in one line", (text, message) => {
  expect(mistakeIn(text)).toContain(message);
});

test("a wait for a connection is one in seconds, with an end", () => {
  const waitOf = (query: string) => read(`postgresql://h/d?${query}`).connectTimeoutMs;
  expect([
    waitOf("connect_timeout=30"),
    waitOf("connect_timeout=0"),
    waitOf("connect_timeout=99999"),
    waitOf(""),
  ]).toEqual([30_000, null, 600_000, null]);
});
