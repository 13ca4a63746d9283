import { readFileSync } from "node:fs";
import type pg from "pg";
import { type DatabaseAddress, type Encryption, readDatabaseAddress } from "../config/database-address";
import { ConfigError } from "../config/error";

const CONNECT_WITHIN_MS = 5_000;

/** The encryption of the last successful connection, by address; for addresses that allow several. */
const reached = new Map<string, Encryption>();

/** Returns the parts of a database address. @throws ConfigError for an invalid one */
export function addressOf(url: string): DatabaseAddress {
  const address = readDatabaseAddress(url);
  if ("mistake" in address) throw new ConfigError(`the address of the database ${address.mistake}`);
  return address;
}

/** Returns the encryptions to try for an address, the last successful one first. */
export function waysTo(url: string): readonly Encryption[] {
  const { ways } = addressOf(url);
  const last = reached.get(url);
  return last === undefined ? ways : [last, ...ways.filter((way) => way !== last)];
}

/** Stores the encryption of a successful connection for later connections. */
export const recordReached = (url: string, way: Encryption): void => void reached.set(url, way);

/**
 * Returns the settings of `pg` for an address with one of its encryptions. `pg` gets only these settings, never the
 * address itself.
 * @throws ConfigError when a file of the address cannot be read
 */
export function settingsFor(url: string, way: Encryption = waysTo(url)[0]!): pg.ClientConfig {
  const address = addressOf(url);
  return {
    ...set(address, "host", "port", "user", "password", "database", "options"),
    connectionTimeoutMillis: address.connectTimeoutMs ?? CONNECT_WITHIN_MS,
    keepAlive: true,
    application_name: "gw",
    ssl: tlsOf(address, way),
    ...(address.isDirectTls && { sslnegotiation: "direct" as const }),
    ...(address.bindsChannel && { enableChannelBinding: true }),
  };
}

/** Returns the parts of an address without nulls, because `pg` treats null as a value. */
function set<Name extends keyof DatabaseAddress>(address: DatabaseAddress, ...names: Name[]) {
  const pairs = names.flatMap((name) => (address[name] === null ? [] : [[name, address[name]]]));
  return Object.fromEntries(pairs) as { [Part in Name]?: NonNullable<DatabaseAddress[Part]> };
}

/**
 * TLS that accepts any host name. `anyName` survives JSON, in which settings are sent to another process; the function
 * does not.
 */
const ANY_NAME = { anyName: true, checkServerIdentity: (): undefined => undefined };

function tlsOf({ files, sslpassword }: DatabaseAddress, way: Encryption): pg.ClientConfig["ssl"] {
  if (way === "off") return false;
  const { sslrootcert, sslcert, sslkey } = files;
  return {
    ...(sslrootcert && way !== "unchecked" && { ca: fileOf("sslrootcert", sslrootcert) }),
    ...(sslcert && { cert: fileOf("sslcert", sslcert) }),
    ...(sslkey && { key: fileOf("sslkey", sslkey) }),
    ...(sslpassword && { passphrase: sslpassword }),
    ...(way === "unchecked" && { rejectUnauthorized: false }),
    ...(way === "authority" && ANY_NAME),
  };
}

function fileOf(parameter: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `the file ${path}, which the address of the database has as ${parameter}, cannot be read: ${code}`,
    );
  }
}

/** Codes with which a server or pooler rejects a connection with or without TLS, before it requests a password. */
const REFUSALS = new Set(["28000", "08P01", "ECONNRESET", "EPIPE", "EPROTO"]);
const ABOUT_TLS = /\b(?:ssl|tls)\b|encrypt|Connection terminated unexpectedly/i;

/**
 * Whether another encryption may succeed after an error. False for errors that TLS does not affect, such as a wrong
 * password.
 */
export function isReachableOtherwise(error: unknown): boolean {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return REFUSALS.has(code) || /^ERR_(?:SSL|TLS)_/.test(code) || ABOUT_TLS.test(message);
}

/** Whether the driver reports that the server has no TLS. */
export const isWithoutTls = (error: unknown): boolean =>
  (error as Error).message === "The server does not support SSL connections";

const UNKNOWN_AUTHORITY =
  /^(?:SELF_SIGNED_CERT_IN_CHAIN|DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/;

type Failure = Error & { code?: string };

/** Advice for the operator, by the error of the driver or server and the encryptions tried. */
const ADVICE: readonly (readonly [advice: string, isSo: (error: Failure, ways: readonly Encryption[]) => boolean])[] = [
  [
    "no authority that this machine trusts has signed the server's certificate: add sslrootcert=<file of its authority> to the address, or sslmode=no-verify, which encrypts and checks nothing",
    ({ code = "" }) => UNKNOWN_AUTHORITY.test(code),
  ],
  [
    "sslmode=verify-ca with sslrootcert=<file of its authority> leaves the name unchecked",
    ({ code }) => code === "ERR_TLS_CERT_ALTNAME_INVALID",
  ],
  ["sslmode=prefer goes on without TLS", (error) => isWithoutTls(error)],
  [
    "sslmode=disable in the address forbids TLS, which the server may want",
    (error, ways) =>
      ways.join() === "off" && isReachableOtherwise(error) && /encrypt|\b(?:ssl|tls)\b/i.test(error.message),
  ],
  [
    "the server asks for a password, and the address has none",
    ({ message }) => /client password must be/.test(message),
  ],
];

/** Adds advice for the operator to a connection error, in the same line. */
export function withAdvice(error: unknown, url: string): unknown {
  if (!(error instanceof Error)) return error;
  const advice = ADVICE.find(([, isSo]) => isSo(error, addressOf(url).ways))?.[0];
  if (advice !== undefined) error.message += ` (${advice})`;
  return error;
}
