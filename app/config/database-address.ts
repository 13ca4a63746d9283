import { z } from "zod";
import { mistakeIn, SEVERAL_HOSTS, UNENCODED, UNREADABLE } from "./address-mistakes";

/**
 * Encryption of a connection: none, any certificate, a certificate of a trusted authority, or one of a trusted
 * authority and host name.
 */
export type Encryption = "off" | "unchecked" | "authority" | "full";

/** Files for TLS, by the parameters that name them. */
type TlsFiles = { sslrootcert: string | null; sslcert: string | null; sslkey: string | null };

/** The decoded parts of a database address. The driver's default applies to null. */
export type DatabaseAddress = {
  /** A host name, an IP address, or the folder of a Unix socket. */
  host: string | null;
  port: number | null;
  user: string | null;
  password: string | null;
  database: string | null;
  /** Schema of the tables, from Prisma's parameter; null: the first one of the search path. */
  schema: string | null;
  options: string | null;
  connectTimeoutMs: number | null;
  /** Encryptions to try, in this order. */
  ways: readonly [Encryption, ...Encryption[]];
  files: TlsFiles;
  sslpassword: string | null;
  isDirectTls: boolean;
  bindsChannel: boolean;
  /** Parameters without effect. */
  ignored: readonly string[];
};

type Parameters = ReadonlyMap<string, string>;

/** libpq's modes, except that `require` verifies the certificate as in node-postgres; its `no-verify` skips that. */
const MODES: Readonly<Record<string, DatabaseAddress["ways"]>> = {
  disable: ["off"],
  allow: ["off", "unchecked"],
  prefer: ["unchecked", "off"],
  require: ["full"],
  "verify-ca": ["authority"],
  "verify-full": ["full"],
  "no-verify": ["unchecked"],
};
/** Default mode: the server decides whether the connection is encrypted. */
const UNSAID = "allow";
/** Values of `ssl` as in JDBC; other drivers accept a mode there. */
const SWITCHES: Readonly<Record<string, string>> = {
  true: "require",
  on: "require",
  yes: "require",
  1: "require",
  false: "disable",
  off: "disable",
  no: "disable",
  0: "disable",
};

const USED = new Set([
  ...["host", "hostaddr", "port", "user", "password", "dbname", "schema", "options", "connect_timeout"],
  ...["ssl", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslpassword", "sslaccept", "sslnegotiation"],
  ...["channel_binding", "target_session_attrs", "uselibpqcompat"],
]);
/** Parameters in which a plus sign means a space, as in forms; in others it is part of a password or a path. */
const TAKES_PLUS = new Set(["schema", "options"]);
/** Parameters that gw does not support; an address with one of them is rejected. */
const REFUSED = ["service", "sslcrl", "sslcrldir", "sslidentity", "requirepeer", "require_auth"];
const MAX_CONNECT_SECONDS = 600;

const FORM =
  /^postgres(?:ql)?:\/\/(?:([^/?#]*)@)?(\[[^\]@/?#]*\]|[^@/?#:[\]]*)(?::([^@/?#]*))?(?:\/([^/?#]*))?(?:\?([^#]*))?$/;

/**
 * Parses an address as libpq does, with the extensions of Prisma and node-postgres. Otherwise returns the mistake in
 * one line, without the address.
 */
export function readDatabaseAddress(text: string): DatabaseAddress | { mistake: string } {
  const parts = FORM.exec(text);
  const parameters = parametersOf(parts?.[5] ?? "");
  const misspelt = mistakeIn(text);
  if (misspelt !== null || parts === null || parameters === null)
    return { mistake: misspelt ?? (parameters === null ? UNENCODED : UNREADABLE) };
  const [, login = "", name = "", port = "", path = ""] = parts;
  const colon = login.indexOf(":");
  const of = (parameter: string, written = "") => parameters.get(parameter) || decoded(written) || null;
  const host = of("host", name.replace(/^\[(.*)\]$/, "$1")) ?? of("hostaddr");
  const mistake = firstMistake(parameters, { host, port: of("port", port) });
  if (mistake !== null) return { mistake };
  return {
    host,
    port: Number(of("port", port) ?? 0) || null,
    user: of("user", colon < 0 ? login : login.slice(0, colon)),
    password: of("password", colon < 0 ? "" : login.slice(colon + 1)),
    database: of("dbname", path),
    schema: of("schema"),
    options: of("options"),
    connectTimeoutMs: Math.min(Number(of("connect_timeout") ?? 0), MAX_CONNECT_SECONDS) * 1_000 || null,
    ways: host?.startsWith("/") ? MODES.disable! : waysOf(parameters),
    files: { sslrootcert: rootCertificateOf(parameters), sslcert: of("sslcert"), sslkey: of("sslkey") },
    sslpassword: of("sslpassword"),
    isDirectTls: of("sslnegotiation") === "direct",
    bindsChannel: of("channel_binding") === "require",
    ignored: [...parameters.keys()].filter((parameter) => !USED.has(parameter)),
  };
}

/** The address of a PostgreSQL database. Error messages omit the address, because it contains a password. */
export const databaseAddress = z.string().superRefine((text, context) => {
  const read = readDatabaseAddress(text);
  if ("mistake" in read) context.addIssue({ code: "custom", message: read.mistake });
});

/** Parameters that libpq reads from the environment when the address lacks them. */
const FROM_ENVIRONMENT = ["sslmode", "sslrootcert", "sslcert", "sslkey"];

/** Adds the TLS parameters of the environment, such as PGSSLMODE, to an address. */
export function withTlsOfEnvironment(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  const parameters = parametersOf(FORM.exec(text)?.[5] ?? "");
  const added = FROM_ENVIRONMENT.flatMap((name) => {
    const value = variables[`PG${name.toUpperCase()}`]?.trim();
    return value && !parameters?.has(name) && !(name === "sslmode" && parameters?.has("ssl"))
      ? [`${name}=${encodeURIComponent(value)}`]
      : [];
  });
  if (added.length === 0) return text;
  return `${text}${text.includes("?") ? "&" : "?"}${added.join("&")}`;
}

/** Parses the query; null for a parameter without a name, because the `?` before it belongs to another part. */
function parametersOf(query: string): Parameters | null {
  const pairs = query.split("&").filter((pair) => pair !== "");
  const read = pairs.map((pair) => {
    const [name = "", ...value] = pair.split("=");
    const parameter = decoded(name).toLowerCase();
    const written = value.join("=");
    return [parameter, decoded(TAKES_PLUS.has(parameter) ? written.replaceAll("+", " ") : written)] as const;
  });
  return read.every(([name]) => /^[a-z][\w.-]*$/.test(name)) ? new Map(read) : null;
}

/** Decodes percent escapes; an invalid escape stays as it is. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

function modeOf(parameters: Parameters): string | null {
  const ssl = parameters.get("ssl")?.toLowerCase();
  return parameters.get("sslmode")?.toLowerCase() || (ssl && (SWITCHES[ssl] ?? ssl)) || null;
}

/** Returns the root certificate file; null for `system`, the authorities that the machine trusts. */
function rootCertificateOf(parameters: Parameters): string | null {
  const file = parameters.get("sslrootcert");
  return !file || file === "system" ? null : file;
}

function waysOf(parameters: Parameters): DatabaseAddress["ways"] {
  const has = (name: string, value: string) => parameters.get(name) === value;
  const namesTls = parameters.get("sslrootcert") || parameters.get("sslcert") || has("channel_binding", "require");
  const mode = modeOf(parameters) ?? (namesTls ? "verify-full" : UNSAID);
  const isLax = mode === "require" && (has("uselibpqcompat", "true") || has("sslaccept", "accept_invalid_certs"));
  const hasAuthority = rootCertificateOf(parameters) !== null;
  // Public authorities certify any server, so the host name must be verified unless an authority is configured.
  if (mode === "verify-ca" && !hasAuthority) return ["full"];
  const [first, ...others] = isLax ? (["unchecked"] as const) : MODES[mode]!;
  const checked = (way: Encryption) =>
    way === "unchecked" && hasAuthority && mode !== "no-verify" ? "authority" : way;
  return [checked(first), ...others.map(checked)];
}

function firstMistake(
  parameters: Parameters,
  { host, port }: { host: string | null; port: string | null },
): string | null {
  const mode = modeOf(parameters);
  const refused = REFUSED.find((name) => parameters.get(name));
  const has = (name: string, ...values: string[]) => values.includes(parameters.get(name) ?? "");
  const checks: readonly (readonly [isSo: boolean, message: string])[] = [
    [host?.includes(",") || port?.includes(",") || false, SEVERAL_HOSTS],
    [port !== null && (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535), UNREADABLE],
    [mode !== null && MODES[mode] === undefined, `has an sslmode that is none of ${Object.keys(MODES).join(", ")}`],
    [refused !== undefined, `has ${refused}, which gw cannot keep to: leave it out`],
    [has("gssencmode", "require"), "has gssencmode=require, and gw encrypts with TLS only"],
    [
      !parameters.get("sslcert") !== !parameters.get("sslkey"),
      "needs both sslcert and sslkey, a client's certificate and its key; the file of an authority is sslrootcert",
    ],
    [
      has("target_session_attrs", "read-only", "standby"),
      "asks for a server that only reads (target_session_attrs), and gw writes",
    ],
    [
      has("channel_binding", "require") && mode !== null && !["require", "verify-ca", "verify-full"].includes(mode),
      "has channel_binding=require, which needs sslmode=require or verify-full",
    ],
    [!/^\d{0,9}$/.test(parameters.get("connect_timeout") ?? ""), "has a connect_timeout that is no number of seconds"],
  ];
  return checks.find(([isSo]) => isSo)?.[1] ?? null;
}
