import { join, resolve } from "node:path";
import { withTlsOfEnvironment } from "./config/database-address";
import { dropEncodingMark } from "./config/encoding-mark";
import { ENVIRONMENT_NAMES, Environment } from "./config/environment";
import { ConfigError } from "./config/error";
import { holdsServiceLink, mistypedNames } from "./config/foreign-variables";
import { type IdentityProvider, identityProviderOf } from "./config/identity-providers";
import { providerKeysOf } from "./config/provider-keys";
import { secretOf } from "./config/secret-file";
import { withSettingFiles } from "./config/setting-files";
import { log, setLogLevel } from "./observe/log.server";

export type { OAuth2Provider, OpenIdProvider } from "./config/identity-providers";
export { ConfigError, type IdentityProvider };

/** The settings of this process. Times in milliseconds unless the name says otherwise; paths are absolute. */
export type Config = ReturnType<typeof readConfig>;

type Variables = Readonly<Record<string, string | undefined>>;

let current: Config | null = null;

/**
 * Returns the settings of this process. Before `loadConfig` or `setConfig`: those of the environment, without generated
 * secrets.
 */
export function config(): Config {
  current ??= readConfig(environment());
  return current;
}

/** Replaces the settings of this process; for tests and commands. */
export function setConfig(settings: Config): void {
  current = settings;
}

/**
 * Reads the settings once, at start-up: an optional `.env` file in the working directory (existing variables take
 * precedence), the environment, and, with the embedded database, the generated secret.
 * @throws ConfigError with a one-line message.
 */
export function loadConfig(): Config {
  readEnvFile();
  const settings = readConfig(environment());
  current = settings.secrets.length > 0 ? settings : { ...settings, secrets: [secretOf(settings.dataDir)] };
  setLogLevel(current.logLevel);
  const ignored = ENVIRONMENT_NAMES.filter((name) => holdsServiceLink(name, process.env[name]));
  if (ignored.length > 0)
    log.warn({ ignored }, "settings that hold a service link of Kubernetes or Docker count as unset");
  return current;
}

/**
 * Returns the value of any environment variable, or the content of the file in `<name>_FILE`; the catalogue file may
 * refer to any variable. Surrounding white space is removed; an empty value counts as unset.
 */
export const environmentVariable = (name: string): string | undefined =>
  withSettingFiles(process.env, [name])[name]?.trim() || undefined;

const environment = (): Variables => withSettingFiles(process.env, ENVIRONMENT_NAMES);

/**
 * Converts environment variables to settings, without any other input. `secrets` is empty when the secret must be
 * generated. Surrounding white space of values is removed.
 * @throws ConfigError naming every unknown GW_* variable and every mistyped STRIPE_* or IDP_* one, or every malformed value.
 */
export function readConfig(variables: Variables) {
  refuseUnknown(variables);
  const set = Object.fromEntries(ENVIRONMENT_NAMES.map((name) => [name, settingOf(variables, name)]));
  const read = Environment.safeParse(set);
  // A value may be a secret, so an error has only the variable and the rule.
  if (!read.success) {
    const messages = read.error.issues.map(
      ({ path, message }) => `${String(path[0])} ${message}${quoted(set[String(path[0])])}`,
    );
    throw new ConfigError(messages.join("; "));
  }
  const value = read.data;
  if (value.DATABASE_URL && !value.GW_SECRET) {
    throw new ConfigError(
      "GW_SECRET is required with DATABASE_URL: all processes share it (32 characters or more, for example from: openssl rand -hex 32)",
    );
  }
  if (value.DATABASE_MIGRATION_URL && !value.DATABASE_URL)
    throw new ConfigError("DATABASE_MIGRATION_URL needs DATABASE_URL");
  if (value.GW_OWNER_PASSWORD && !value.GW_OWNER_EMAIL) throw new ConfigError("GW_OWNER_PASSWORD needs GW_OWNER_EMAIL");
  if (value.GW_FUNDING_MIN > value.GW_FUNDING_MAX) throw new ConfigError("GW_FUNDING_MIN is above GW_FUNDING_MAX");
  const identityProviders = { a: identityProviderOf("A", value), b: identityProviderOf("B", value) };
  // Otherwise no user could do actions that require a recent proof of identity.
  if (!value.GW_PASSWORD_SIGN_IN && !Object.values(identityProviders).some((provider) => provider?.kind === "oidc"))
    throw new ConfigError("GW_PASSWORD_SIGN_IN=false needs an OpenID Connect provider (IDP_A_… or IDP_B_…)");
  return {
    port: value.PORT,
    host: value.HOST,
    /** Null: no metrics. */
    metricsPort: value.GW_METRICS_PORT ?? null,
    /** Null: no tracing. */
    tracesTo: value.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    baseUrl: value.BASE_URL ?? `http://localhost:${value.PORT}`,
    /** Null: the embedded database. */
    databaseUrl: value.DATABASE_URL ?? null,
    /** The role that owns the tables; null: the server's own. */
    databaseMigrationUrl: value.DATABASE_MIGRATION_URL ?? null,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    databaseWaitMs: value.DATABASE_WAIT_SECONDS * 1_000,
    dataDir: resolve(value.DATA_DIR),
    /** `required`: the operator has configured the file. */
    catalogueFile: { path: resolve(value.GW_CONFIG ?? "gw.config.yaml"), required: value.GW_CONFIG !== undefined },
    /** A price list that replaces the built-in one; the file may be missing. */
    priceFile: resolve(value.GW_PRICES ?? join(value.DATA_DIR, "prices.json")),
    /** The providers with keys in the environment; they become the suppliers if there is no catalogue file. */
    providerKeys: providerKeysOf(value),
    /** The first one seals new values; all of them open existing values. */
    secrets: value.GW_SECRET ?? ([] as string[]),
    rootAdminKey: value.GW_ROOT_ADMIN_KEY ?? null,
    organisationName: value.GW_ORGANISATION_NAME,
    owner: {
      email: value.GW_OWNER_EMAIL?.toLowerCase() ?? "owner@localhost",
      password: value.GW_OWNER_PASSWORD ?? null,
    },
    /** The operator of this installation; null: not configured. */
    operator: {
      name: value.GW_OPERATOR_NAME ?? null,
      address: value.GW_OPERATOR_ADDRESS ?? null,
      email: value.GW_OPERATOR_EMAIL ?? null,
      country: value.GW_OPERATOR_COUNTRY ?? null,
    },
    /** By default invite only without a payment processor, because new users could not pay. */
    signUp: value.GW_SIGNUP ?? (value.STRIPE_SECRET_KEY ? ("open" as const) : ("invite" as const)),
    passwordSignIn: value.GW_PASSWORD_SIGN_IN,
    /** Whether the status page of the models is public. */
    statusPage: value.GW_STATUS_PAGE,
    /** Proxy for calls to suppliers. */
    egressProxy: { http: value.HTTP_PROXY ?? null, https: value.HTTPS_PROXY ?? null, none: value.NO_PROXY ?? "" },
    allowPrivateUpstreams: value.GW_ALLOW_PRIVATE_UPSTREAMS,
    allowPrivateWebhooks: value.GW_ALLOW_PRIVATE_WEBHOOKS,
    limits: {
      jsonBodyBytes: value.GW_MAX_JSON_BYTES,
      longBodiesBytes: value.GW_LONG_BODIES_BYTES,
      audioBodyBytes: value.GW_MAX_AUDIO_BYTES,
      imageBodyBytes: value.GW_MAX_IMAGE_BYTES,
      fileBytes: value.GW_MAX_FILE_BYTES,
      portalBodyBytes: 1_048_576,
      headerBytes: 16_384,
      headerCount: 100,
      headersTimeoutMs: value.GW_HEADERS_TIMEOUT_MS,
      keepAliveTimeoutMs: value.GW_KEEP_ALIVE_TIMEOUT_MS,
      requestTimeoutMs: value.GW_REQUEST_TIMEOUT_MS,
      uploadTimeoutMs: value.GW_UPLOAD_TIMEOUT_MS,
      drainTimeoutMs: value.GW_DRAIN_TIMEOUT_MS,
      // Time for load balancers to notice that this process accepts no new requests.
      drainNoticeMs: 2_000,
      holdLeaseSeconds: value.GW_HOLD_LEASE_SECONDS,
    },
    /** Retention of responses that clients want stored; 0: not stored. */
    storedResponsesDays: value.GW_STORED_RESPONSES_DAYS,
    /** Files of clients: retention (0: no files) and maximum total size per owner. */
    files: { days: value.GW_FILES_DAYS, ownerBytes: value.GW_FILES_BYTES },
    batches: { maxLines: value.GW_BATCH_LINES, concurrency: value.GW_BATCH_CONCURRENCY },
    mail: { smtpUrl: value.SMTP_URL ?? null, from: value.MAIL_FROM },
    stripe: stripeOf(value),
    /** Limits of a card payment and its fee: amounts in nano-USD, the share in millionths. */
    funding: {
      feeMillionths: value.GW_FUNDING_FEE_PERCENT,
      feeFixedNanoUsd: value.GW_FUNDING_FEE_FIXED,
      minNanoUsd: value.GW_FUNDING_MIN,
      maxNanoUsd: value.GW_FUNDING_MAX,
    },
    /** Uncharged sandbox calls per minute, organisation and process; 0: all are charged. */
    sandboxFreeRpm: value.GW_SANDBOX_FREE_RPM,
    /** Suppliers of a request that customers see. */
    routesShown: value.GW_ROUTES_SHOWN,
    /** Maximum spending of one person in the playground per day, in nano-USD. */
    playgroundDailyNanoUsd: value.GW_PLAYGROUND_DAILY,
    identityProviders,
    trustProxy: { proxies: value.TRUST_PROXY, header: value.TRUST_PROXY_HEADER },
    logLevel: value.LOG_LEVEL,
  };
}

/** Reads a setting without surrounding white space, because files and secrets of Kubernetes end with a line break. */
function settingOf(variables: Variables, name: string): string | undefined {
  const written = variables[name]?.trim() || variables[LOWER_CASE.has(name) ? name.toLowerCase() : name]?.trim();
  const value = holdsServiceLink(name, written) ? undefined : written || undefined;
  return value !== undefined && DATABASE_ADDRESSES.has(name) ? withTlsOfEnvironment(value, variables) : value;
}

/** Names that other programs also write in lower case. */
const LOWER_CASE = new Set(["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"]);
const DATABASE_ADDRESSES = new Set(["DATABASE_URL", "DATABASE_MIGRATION_URL"]);

const quoted = (value: string | undefined): string =>
  /^(["']).*\1$/s.test(value ?? "")
    ? " (it is in quotation marks, which docker run --env-file keeps: leave them out)"
    : "";

function refuseUnknown(variables: Variables): void {
  const unknown = mistypedNames(variables, ENVIRONMENT_NAMES);
  if (unknown.length === 0) return;
  throw new ConfigError(
    `unknown ${unknown.length === 1 ? "setting" : "settings"} ${unknown.toSorted().join(", ")}; the settings are listed in docs/configuration.md`,
  );
}

type StripeVariables = {
  STRIPE_SECRET_KEY?: string;
  STRIPE_PUBLISHABLE_KEY?: string;
  STRIPE_WEBHOOK_SECRET?: string;
  STRIPE_API_BASE?: string;
  STRIPE_TAX: boolean;
};

function stripeOf(value: StripeVariables) {
  if (!value.STRIPE_SECRET_KEY) return null;
  // Without the signing secret, anyone could forge a payment event.
  if (!value.STRIPE_WEBHOOK_SECRET) throw new ConfigError("STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET");
  return {
    secretKey: value.STRIPE_SECRET_KEY,
    webhookSecrets: value.STRIPE_WEBHOOK_SECRET.split(","),
    publishableKey: value.STRIPE_PUBLISHABLE_KEY ?? null,
    apiBase: value.STRIPE_API_BASE ?? null,
    /** Whether payments are real; test keys have separate events. */
    livemode: /^(sk|rk)_live_/.test(value.STRIPE_SECRET_KEY),
    tax: value.STRIPE_TAX,
  };
}

function readEnvFile(): void {
  try {
    process.loadEnvFile();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw new ConfigError(`the file .env cannot be read: ${(error as Error).message}`);
    }
  }
  dropEncodingMark(process.env);
}
