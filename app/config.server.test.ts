import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { prepareDataFolder } from "./config/data-folder";
import { secretOf } from "./config/secret-file";
import { ConfigError, readConfig } from "./config.server";

const SECRET = "0123456789abcdef0123456789abcdef";
const problemOf = (variables: Record<string, string>) => {
  try {
    readConfig(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  return "no problem";
};

const OAUTH2 = {
  IDP_A_KIND: "oauth2",
  IDP_A_CLIENT_ID: "client",
  IDP_A_CLIENT_SECRET: "secret",
  IDP_A_AUTHORISATION_URL: "https://idp.example.com/authorize",
  IDP_A_TOKEN_URL: "http://127.0.0.1:4000/token",
  IDP_A_PROFILE_URL: "https://api.example.com/user",
};

test("an empty environment is a whole configuration", () => {
  const settings = readConfig({});
  expect(settings).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    baseUrl: "http://localhost:3000",
    databaseUrl: null,
    dataDir: join(process.cwd(), "data"),
    catalogueFile: { path: join(process.cwd(), "gw.config.yaml"), required: false },
    secrets: [],
    stripe: null,
    identityProviders: { a: null, b: null },
    logLevel: "info",
  });
});

test("sign-up is open where people can pay, else by invitation, unless the operator decides", () => {
  const stripe = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
  expect(readConfig({}).signUp).toBe("invite");
  expect(readConfig(stripe).signUp).toBe("open");
  expect(readConfig({ GW_SIGNUP: "open" }).signUp).toBe("open");
  expect(readConfig({ ...stripe, GW_SIGNUP: "invite" }).signUp).toBe("invite");
});

test("the price of a card payment is read exactly, and its bounds make sense", () => {
  const set = {
    GW_FUNDING_FEE_PERCENT: "2.9",
    GW_FUNDING_FEE_FIXED: "0.30",
    GW_FUNDING_MIN: "1",
    GW_FUNDING_MAX: "100.50",
  };
  expect(readConfig(set).funding).toEqual({
    feeMillionths: 29_000n,
    feeFixedNanoUsd: 300_000_000n,
    minNanoUsd: 1_000_000_000n,
    maxNanoUsd: 100_500_000_000n,
  });
  for (const wrong of [
    { GW_FUNDING_FEE_PERCENT: "51" },
    { GW_FUNDING_FEE_FIXED: "0.001" },
    { GW_FUNDING_MIN: "0.50" },
    { GW_FUNDING_MIN: "10", GW_FUNDING_MAX: "9" },
    { STRIPE_API_BASE: "http://stripe.example" },
  ])
    expect(() => readConfig(wrong)).toThrow(ConfigError);
});

test("the base address follows the port, and an empty value counts as unset", () => {
  expect(readConfig({ PORT: "8080", BASE_URL: "" }).baseUrl).toBe("http://localhost:8080");
  expect(readConfig({ BASE_URL: "https://gw.example.com/" }).baseUrl).toBe("https://gw.example.com");
});

test.each([
  ["https://GW.Example.com", "https://gw.example.com"],
  ["https://gw.example.com:443/", "https://gw.example.com"],
  ["http://gw.example.com:80", "http://gw.example.com"],
  ["https://gw.example.com:8443", "https://gw.example.com:8443"],
  ["https://gw.münchen.example", "https://gw.xn--mnchen-3ya.example"],
  [" https://gw.example.com\n", "https://gw.example.com"],
])("the base address %j is written as browsers write it", (BASE_URL, origin) => {
  expect(readConfig({ BASE_URL }).baseUrl).toBe(origin);
});

test("white space around a value does not count, whatever the value is", () => {
  const plain = {
    ...OAUTH2,
    PORT: "8080",
    GW_SECRET: SECRET,
    GW_ROOT_ADMIN_KEY: `gw_${"a".repeat(24)}`,
    DATABASE_URL: "postgresql://u:p%23@h/d?host=/tmp/a@b",
    SMTP_URL: "smtp://u:p@h",
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
    OPENAI_API_KEY: "sk-1",
    GW_OWNER_EMAIL: "me@example.com",
    GW_OWNER_PASSWORD: "correct horse",
    GW_PROVIDER_KEYS: "true",
  };
  const padded = Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, ` ${value}\r\n`]));
  expect(readConfig(padded)).toEqual(readConfig(plain));
  expect(readConfig({ GW_SECRET: "\n" }).secrets).toEqual([]);
});

/** Variables that kubelet, Docker's links and command-line tools set automatically. */
const FOREIGN = {
  GW_SERVICE_HOST: "10.96.12.7",
  GW_SERVICE_PORT: "80",
  GW_SERVICE_PORT_HTTP: "80",
  GW_PORT: "tcp://10.96.12.7:80",
  GW_PORT_80_TCP: "tcp://10.96.12.7:80",
  GW_PORT_80_TCP_PROTO: "tcp",
  GW_PORT_80_TCP_PORT: "80",
  GW_PORT_80_TCP_ADDR: "10.96.12.7",
  GW_PORT_53_UDP: "udp://10.96.12.7:53",
  PORT: "tcp://10.96.12.9:3000",
  GW_METRICS_PORT: "tcp://10.96.12.8:9090",
  GW_METRICS_SERVICE_HOST: "10.96.12.8",
  GW_METRICS_PORT_9090_TCP: "tcp://10.96.12.8:9090",
  GW_NAME: "/web/gw",
  GW_ENV_NODE_VERSION: "22",
  GW_1_PORT_3000_TCP_ADDR: "172.17.0.5",
  STRIPE_MOCK_PORT: "tcp://10.96.1.1:12111",
  STRIPE_MOCK_SERVICE_HOST: "10.96.1.1",
  STRIPE_API_KEY: "sk_test_1",
  STRIPE_DEVICE_NAME: "laptop",
  IDP_SERVICE_HOST: "10.96.2.2",
  IDP_ADMIN_PASSWORD: "of another program",
};

test("what Kubernetes, Docker and shells set by themselves stops no start and sets nothing", () => {
  expect(readConfig(FOREIGN)).toEqual(readConfig({}));
  expect(readConfig({ ...FOREIGN, GW_METRICS_PORT: "9090" }).metricsPort).toBe(9090);
  expect(readConfig({ HTTPS_PROXY: "proxy.example:3128" }).egressProxy).toEqual(
    readConfig({ HTTPS_PROXY: "http://proxy.example:3128" }).egressProxy,
  );
});

test("addresses with a login are taken as they are where nothing in it is cut off", () => {
  for (const SMTP_URL of ["smtp://u%40x:p%23@h:587", "smtp://h:587/?name=a@b", "smtps://u:p@ss@h"])
    expect(readConfig({ SMTP_URL }).mail.smtpUrl).toBe(SMTP_URL);
});

test("a level of the log may be written in capitals, as other programs want it", () => {
  expect(readConfig({ LOG_LEVEL: "WARN" }).logLevel).toBe("warn");
});

test("proxies may be named in small letters, as curl wants it; capitals count where both are there", () => {
  const small = { https_proxy: "http://a:1", http_proxy: "http://b:2", no_proxy: "c" };
  expect(readConfig(small).egressProxy).toEqual({ https: "http://a:1", http: "http://b:2", none: "c" });
  expect(readConfig({ ...small, HTTPS_PROXY: "http://d:3", NO_PROXY: "" }).egressProxy).toEqual({
    ...{ https: "http://d:3", http: "http://b:2", none: "c" },
  });
});

test("what the environment says of TLS holds for every database that says nothing of it", () => {
  const { databaseUrl, databaseMigrationUrl } = readConfig({
    ...{ GW_SECRET: SECRET, DATABASE_URL: "postgresql://h/d", DATABASE_MIGRATION_URL: "postgresql://h/d?ssl=false" },
    PGSSLMODE: "verify-full",
  });
  expect([databaseUrl, databaseMigrationUrl]).toEqual([
    "postgresql://h/d?sslmode=verify-full",
    "postgresql://h/d?ssl=false",
  ]);
});

test("secrets are several, separated by commas", () => {
  const settings = readConfig({ GW_SECRET: `${SECRET}, x${SECRET}`, DATABASE_URL: "postgresql://u:p@h/d" });
  expect(settings.secrets).toEqual([SECRET, `x${SECRET}`]);
});

const OPENID = {
  IDP_A_ISSUER: "https://idp.example.com",
  IDP_A_CLIENT_ID: "client",
  IDP_A_CLIENT_SECRET: "secret",
};

describe("what cannot be is refused in one line", () => {
  const cases: [Record<string, string>, string][] = [
    [{ GW_SECERT: SECRET }, "unknown setting GW_SECERT; the settings are listed in docs/configuration.md"],
    [
      { GW_X: "1", IDP_C_ISSUER: "x", STRIPE_SECERT_KEY: "x" },
      "unknown settings GW_X, IDP_C_ISSUER, STRIPE_SECERT_KEY",
    ],
    [{ PORT: "http" }, "PORT must be a whole number from 1 to 65535"],
    [{ PORT: "65536" }, "PORT must be a whole number from 1 to 65535"],
    [{ PORT: "3e3" }, "PORT must be"],
    [{ BASE_URL: "gw.example.com" }, "BASE_URL must be an http:// or https:// address"],
    [
      { BASE_URL: "https://gw.example.com/gw" },
      "BASE_URL must be an origin such as https://gw.example.com, without a path",
    ],
    [{ BASE_URL: "https://gw.example.com?x" }, "without a query"],
    [{ BASE_URL: "https://gw.example.com/#x" }, "without a fragment"],
    [{ BASE_URL: "https://me:pass@gw.example.com" }, "without a user or password"],
    [
      { BASE_URL: '"https://gw.example.com"' },
      "BASE_URL must be an http:// or https:// address (it is in quotation marks",
    ],
    [{ STRIPE_SECRET_KEY: "sk_test_1\nsk_test_2" }, "STRIPE_SECRET_KEY must be printable ASCII without spaces"],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL must be a postgresql:// address"],
    [{ DATABASE_URL: "host=h dbname=d" }, "DATABASE_URL must be a postgresql:// address, not a list"],
    [{ DATABASE_URL: "jdbc:postgresql://h/d" }, "DATABASE_URL must be a postgresql:// address, without jdbc:"],
    [{ DATABASE_URL: "postgresql://u:p@a:5432,b:5432/d" }, "DATABASE_URL names several hosts"],
    [{ DATABASE_MIGRATION_URL: "postgresql://u:p@a,b/d" }, "DATABASE_MIGRATION_URL names several hosts"],
    [
      { DATABASE_URL: "postgresql://u:pa#ss@h/d" },
      "DATABASE_URL has a character in its user or password that has to be percent-encoded",
    ],
    [{ DATABASE_URL: "postgresql://u:12#ss@h/d" }, "has to be percent-encoded"],
    [{ DATABASE_URL: "postgresql://u:pa?ss@h/d" }, "has to be percent-encoded"],
    [{ DATABASE_URL: "postgresql://u:pa/ss@h/d" }, "has to be percent-encoded"],
    [{ DATABASE_URL: "postgresql://u:p@h:port/d" }, "DATABASE_URL cannot be read as an address"],
    [{ DATABASE_URL: "postgresql://u:p@h/d" }, "GW_SECRET is required with DATABASE_URL"],
    [
      { SMTP_URL: "smtp://u:pa#ss@h" },
      "SMTP_URL has a character in its user or password that has to be percent-encoded",
    ],
    [{ SMTP_URL: "smtps://u:pa/ss@h:465" }, "has to be percent-encoded"],
    [{ HTTPS_PROXY: "u:pa?ss@proxy:3128" }, "HTTPS_PROXY has a character in its user or password"],
    [{ GW_SECRET: "short" }, "GW_SECRET every secret needs at least 32 characters"],
    [{ GW_ROOT_ADMIN_KEY: "root" }, "GW_ROOT_ADMIN_KEY must be gw_ and"],
    [{ GW_OWNER_EMAIL: "nobody" }, "GW_OWNER_EMAIL must be an e-mail address"],
    [{ GW_OWNER_PASSWORD: "long enough" }, "GW_OWNER_PASSWORD needs GW_OWNER_EMAIL"],
    [{ GW_ALLOW_PRIVATE_UPSTREAMS: "yes" }, "GW_ALLOW_PRIVATE_UPSTREAMS must be true or false"],
    [{ STRIPE_SECRET_KEY: "sk_test_1" }, "STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET"],
    [{ STRIPE_WEBHOOK_SECRET: "secret" }, "STRIPE_WEBHOOK_SECRET must start with whsec_, as must each"],
    [{ STRIPE_WEBHOOK_SECRET: "whsec_1,secret" }, "STRIPE_WEBHOOK_SECRET must start with whsec_, as must each"],
    [{ STRIPE_SECRET_KEY: "pk_live_1" }, "STRIPE_SECRET_KEY must be a secret or restricted key of one account"],
    [{ STRIPE_SECRET_KEY: "sk_org_live_1" }, "STRIPE_SECRET_KEY must be a secret or restricted key of one account"],
    [
      { IDP_A_ISSUER: "https://idp.example.com" },
      "IDP_A_ISSUER, IDP_A_CLIENT_ID and IDP_A_CLIENT_SECRET belong together",
    ],
    [{ IDP_A_KIND: "saml" }, "IDP_A_KIND must be oidc or oauth2"],
    [{ IDP_B_PROFILE_URL: "https://idp.example.com/me" }, "IDP_B_PROFILE_URL needs IDP_B_KIND=oauth2"],
    [{ IDP_B_KIND: "oauth2" }, "IDP_B_KIND=oauth2 needs IDP_B_AUTHORISATION_URL"],
    [{ ...OAUTH2, IDP_A_PROFILE_URL: "" }, "IDP_A_KIND=oauth2 needs IDP_A_PROFILE_URL"],
    [{ ...OAUTH2, IDP_A_CLIENT_SECRET: "" }, "IDP_A_KIND=oauth2 needs IDP_A_CLIENT_SECRET"],
    [{ ...OAUTH2, IDP_A_ISSUER: "https://idp.example.com" }, "IDP_A_ISSUER has no meaning with IDP_A_KIND=oauth2"],
    [{ ...OAUTH2, IDP_A_DISCOVERY_URL: "https://a.example" }, "IDP_A_DISCOVERY_URL has no meaning with"],
    [{ IDP_A_DISCOVERY_URL: "https://a.example" }, "IDP_A_ISSUER, IDP_A_CLIENT_ID and IDP_A_CLIENT_SECRET belong"],
    [{ ...OAUTH2, IDP_A_TOKEN_URL: "http://idp.example.com/token" }, "IDP_A_TOKEN_URL must be an https:// address"],
    [{ ...OAUTH2, IDP_A_PROFILE_URL: "https://u:p@idp.example.com" }, "IDP_A_PROFILE_URL must be an https:// address"],
    [{ ...OAUTH2, IDP_A_EMAIL_FIELD: "e mail" }, "IDP_A_EMAIL_FIELD must be the name of a field"],
    [{ ...OAUTH2, IDP_A_SCOPES: "read  write" }, "IDP_A_SCOPES must be scopes with one space between them"],
    [
      { ...OAUTH2, IDP_A_EMAILS_VERIFIED: "true", IDP_A_EMAIL_VERIFIED_FIELD: "verified" },
      "IDP_A_EMAILS_VERIFIED=true and IDP_A_EMAIL_VERIFIED_FIELD exclude each other",
    ],
    [{ ...OPENID, IDP_A_PROFILE_URL: "https://idp.example.com/me" }, "IDP_A_PROFILE_URL needs IDP_A_KIND=oauth2"],
    [{ ...OPENID, IDP_A_SUBJECT_FIELD: "id" }, "IDP_A_SUBJECT_FIELD needs IDP_A_KIND=oauth2"],
    [{ ...OPENID, IDP_A_SCOPES: "email profile" }, "IDP_A_SCOPES must contain openid"],
    [
      { ...OPENID, IDP_A_CLIENT_AUTHENTICATION: "basic" },
      "IDP_A_CLIENT_AUTHENTICATION must be client_secret_basic or client_secret_post",
    ],
    [
      { ...OPENID, IDP_A_EMAILS_VERIFIED: "true", IDP_A_EMAIL_VERIFIED_FIELD: "xms_edov" },
      "IDP_A_EMAILS_VERIFIED=true and IDP_A_EMAIL_VERIFIED_FIELD exclude each other",
    ],
    [{ ...OAUTH2, GW_PASSWORD_SIGN_IN: "false" }, "GW_PASSWORD_SIGN_IN=false needs an OpenID Connect provider"],
    [{ GW_ORGANISATION_NAME: "x".repeat(121) }, "GW_ORGANISATION_NAME takes at most 120 characters"],
    [{ MAIL_FROM: "our portal" }, "MAIL_FROM must be an address"],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be fatal, error"],
    [{ PORT: "x", LOG_LEVEL: "loud" }, "; LOG_LEVEL must be"],
  ];
  test.each(cases)("%j", (variables, message) => {
    const told = problemOf(variables);
    expect(told).toContain(message);
    expect(told).not.toContain("\n");
  });

  test("a value is never repeated, because it may be a secret", () => {
    expect(problemOf({ GW_SECRET: "hunter2" })).not.toContain("hunter2");
    expect(problemOf({ DATABASE_URL: "postgres//u:hunter2@h" })).not.toContain("hunter2");
  });
});

test("a provider of plain OAuth 2 verifies no address unless the operator says so", () => {
  const { a } = readConfig(OAUTH2).identityProviders;
  expect(a).toEqual({
    kind: "oauth2",
    clientId: "client",
    clientSecret: "secret",
    clientAuthentication: "client_secret_basic",
    label: "idp.example.com",
    authorisationUrl: "https://idp.example.com/authorize",
    tokenUrl: "http://127.0.0.1:4000/token",
    profileUrl: "https://api.example.com/user",
    emailsUrl: null,
    scopes: [],
    fields: { subject: "id", email: "email", emailVerified: null, name: "name" },
    emailsVerified: false,
  });
});

test("an OpenID Connect provider confirms addresses by its standard claim, unless the operator names another", () => {
  const fieldsOf = (more: Record<string, string>) => {
    const { a } = readConfig({ ...OPENID, ...more }).identityProviders;
    return a?.kind === "oidc" ? [a.fields.email, a.fields.emailVerified, a.emailsVerified] : null;
  };
  expect(fieldsOf({})).toEqual(["email", "email_verified", false]);
  expect(fieldsOf({ IDP_A_EMAIL_FIELD: "upn" })).toEqual(["upn", null, false]);
  expect(fieldsOf({ IDP_A_EMAIL_FIELD: "upn", IDP_A_EMAIL_VERIFIED_FIELD: "checked" })).toEqual([
    "upn",
    "checked",
    false,
  ]);
  expect(fieldsOf({ IDP_A_EMAILS_VERIFIED: "true" })).toEqual(["email", "email_verified", true]);
});

test("white space around what is copied out of a provider's console is no part of it", () => {
  const padded = Object.fromEntries(Object.entries(OPENID).map(([name, value]) => [name, ` ${value}\n`]));
  expect(readConfig(padded).identityProviders).toEqual(readConfig(OPENID).identityProviders);
});

test("a shell in which somebody has tried the examples out can start the server", () => {
  expect(problemOf({ GW_KEY: "gw_x", GW_ADMIN_KEY: "gw_y" })).toBe(problemOf({}));
});

describe("the generated secret", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "gw-secret-"));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  test("is made once, for the owner's eyes only, and stays", () => {
    const secret = secretOf(join(dataDir, "new"));
    expect(secret.length).toBeGreaterThanOrEqual(43);
    expect(secretOf(join(dataDir, "new"))).toBe(secret);
    expect(statSync(join(dataDir, "new", "secret")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(dataDir, "new", "secret"), "utf8").trim()).toBe(secret);
  });

  test("is refused when somebody has emptied the file", () => {
    writeFileSync(join(dataDir, "secret"), "");
    expect(() => secretOf(dataDir)).toThrow("does not hold a secret");
  });
});

// Node's recursive mkdir never returns there.
test.runIf(existsSync("/proc/self"))("a DATA_DIR where no folder can be made is refused, too", () => {
  expect(() => prepareDataFolder("/proc/gw/data")).toThrow("DATA_DIR /proc/gw/data cannot be used: ENOENT");
  expect(() => secretOf("/proc/gw/data")).toThrow(ConfigError);
});

test("a DATA_DIR that is no folder, or not to be written to, is refused in one line", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "gw-data-"));
  try {
    prepareDataFolder(join(dataDir, "new", "folder"));
    expect(statSync(join(dataDir, "new", "folder")).mode & 0o777).toBe(0o700);
    writeFileSync(join(dataDir, "file"), "");
    expect(() => prepareDataFolder(join(dataDir, "file"))).toThrow(ConfigError);
    expect(() => prepareDataFolder(join(dataDir, "file"))).toThrow(
      /^DATA_DIR .*\/file cannot be used: [^\n]* is not a folder$/,
    );
    writeFileSync(join(dataDir, "journal"), "");
    expect(() => prepareDataFolder(dataDir)).toThrow(/journal is not a folder$/);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
