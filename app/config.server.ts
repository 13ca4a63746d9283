import { join, resolve } from "node:path";
import { dropEncodingMark } from "./config/encoding-mark";
import { ENVIRONMENT_NAMES, Environment } from "./config/environment";
import { ConfigError } from "./config/error";
import { holdsServiceLink, mistypedNames } from "./config/foreign-variables";
import { type IdentityProvider, identityProviderOf } from "./config/identity-providers";
import { providerKeysOf } from "./config/provider-keys";
import { secretOf } from "./config/secret-file";
import { log, setLogLevel } from "./log.server";

export type { OAuth2Provider, OpenIdProvider } from "./config/identity-providers";
export { ConfigError, type IdentityProvider };

/** The settings of this process. Times in milliseconds unless the name says otherwise; paths are absolute. */
export type Config = ReturnType<typeof readConfig>;

type Variables = Readonly<Record<string, string | undefined>>;

let current: Config | null = null;

/** The settings of this process. Before `loadConfig` or `setConfig`, what the environment says, without generated secrets. */
export function config(): Config {
  current ??= readConfig(process.env);
  return current;
}

/** Replaces the settings of this process. Meant for tests and commands. */
export function setConfig(settings: Config): void {
  current = settings;
}

/**
 * Reads the settings once, at the start: an optional `.env` file in the working directory (what is set already wins),
 * the environment, and the generated secret when the embedded database is used.
 * @throws ConfigError with one clear line.
 */
export function loadConfig(): Config {
  readEnvFile();
  const settings = readConfig(process.env);
  current = settings.secrets.length > 0 ? settings : { ...settings, secrets: [secretOf(settings.dataDir)] };
  setLogLevel(current.logLevel);
  const ignored = ENVIRONMENT_NAMES.filter((name) => holdsServiceLink(name, process.env[name]));
  if (ignored.length > 0)
    log.warn({ ignored }, "settings that hold a service link of Kubernetes or Docker count as unset");
  return current;
}

/** The value of any environment variable; the catalogue file may name its own. White space around it does not count, and empty is unset. */
export const environmentVariable = (name: string): string | undefined => process.env[name]?.trim() || undefined;

/**
 * Turns environment variables into settings; reads nothing else. `secrets` is empty where the secret is to be generated.
 * White space around a value does not count.
 * @throws ConfigError naming every unknown GW_* variable and every mistyped STRIPE_* or IDP_* one, or every malformed value.
 */
export function readConfig(variables: Variables) {
  refuseUnknown(variables);
  const set = Object.fromEntries(ENVIRONMENT_NAMES.map((name) => [name, settingOf(variables, name)]));
  const read = Environment.safeParse(set);
  // A value may be a secret, so a problem names the variable and the rule only.
  if (!read.success) {
    const told = read.error.issues.map(
      ({ path, message }) => `${String(path[0])} ${message}${quoted(set[String(path[0])])}`,
    );
    throw new ConfigError(told.join("; "));
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
  // What asks for a recent proof could be done by nobody else.
  if (!value.GW_PASSWORD_SIGN_IN && !Object.values(identityProviders).some((provider) => provider?.kind === "oidc"))
    throw new ConfigError("GW_PASSWORD_SIGN_IN=false needs an OpenID Connect provider (IDP_A_… or IDP_B_…)");
  return {
    port: value.PORT,
    host: value.HOST,
    /** Null: nothing is counted. */
    metricsPort: value.GW_METRICS_PORT ?? null,
    /** Null: nothing is traced. */
    tracesTo: value.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    baseUrl: value.BASE_URL ?? `http://localhost:${value.PORT}`,
    /** Null: the embedded database. */
    databaseUrl: value.DATABASE_URL ?? null,
    /** The role that owns the tables; null: the server's own. */
    databaseMigrationUrl: value.DATABASE_MIGRATION_URL ?? null,
    databasePoolSize: value.DATABASE_POOL_SIZE,
    databaseWaitMs: value.DATABASE_WAIT_SECONDS * 1_000,
    dataDir: resolve(value.DATA_DIR),
    /** `required` when the operator named the file. */
    catalogueFile: { path: resolve(value.GW_CONFIG ?? "gw.config.yaml"), required: value.GW_CONFIG !== undefined },
    /** A list of prices in place of the one that this version comes with; there may be none. */
    priceFile: resolve(value.GW_PRICES ?? join(value.DATA_DIR, "prices.json")),
    /** The providers whose keys the environment has; they make the suppliers where there is no file. */
    providerKeys: providerKeysOf(value),
    /** The first one is used for what is new, all of them for what is there. */
    secrets: value.GW_SECRET ?? ([] as string[]),
    rootAdminKey: value.GW_ROOT_ADMIN_KEY ?? null,
    organisationName: value.GW_ORGANISATION_NAME,
    owner: {
      email: value.GW_OWNER_EMAIL?.toLowerCase() ?? "owner@localhost",
      password: value.GW_OWNER_PASSWORD ?? null,
    },
    /** Who runs this installation; null where nobody has said. */
    operator: {
      name: value.GW_OPERATOR_NAME ?? null,
      address: value.GW_OPERATOR_ADDRESS ?? null,
      email: value.GW_OPERATOR_EMAIL ?? null,
      country: value.GW_OPERATOR_COUNTRY ?? null,
    },
    /** Without a payment processor strangers could only use what nobody pays for. */
    signUp: value.GW_SIGNUP ?? (value.STRIPE_SECRET_KEY ? ("open" as const) : ("invite" as const)),
    passwordSignIn: value.GW_PASSWORD_SIGN_IN,
    /** Whether everybody may read how the models have been. */
    statusPage: value.GW_STATUS_PAGE,
    /** Where calls to suppliers leave through. */
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
      // As long as load balancers take to see that no new work is taken here.
      drainNoticeMs: 2_000,
      holdLeaseSeconds: value.GW_HOLD_LEASE_SECONDS,
    },
    /** How long responses that clients want stored are kept; 0: they are not. */
    storedResponsesDays: value.GW_STORED_RESPONSES_DAYS,
    /** Files of clients: how long they are kept (0: none is), and how much of them for one owner. */
    files: { days: value.GW_FILES_DAYS, ownerBytes: value.GW_FILES_BYTES },
    batches: { maxLines: value.GW_BATCH_LINES, concurrency: value.GW_BATCH_CONCURRENCY },
    mail: { smtpUrl: value.SMTP_URL ?? null, from: value.MAIL_FROM },
    stripe: stripeOf(value),
    /** What may be paid by card at once, and what that costs on top; nano-USD, the share in millionths. */
    funding: {
      feeMillionths: value.GW_FUNDING_FEE_PERCENT,
      feeFixedNanoUsd: value.GW_FUNDING_FEE_FIXED,
      minNanoUsd: value.GW_FUNDING_MIN,
      maxNanoUsd: value.GW_FUNDING_MAX,
    },
    /** Uncharged sandbox calls a minute for each organisation and process; 0 charges them. */
    sandboxFreeRpm: value.GW_SANDBOX_FREE_RPM,
    /** What one person may spend in the playground in a day, in nano-USD. */
    playgroundDailyNanoUsd: value.GW_PLAYGROUND_DAILY,
    identityProviders,
    trustProxy: { proxies: value.TRUST_PROXY, header: value.TRUST_PROXY_HEADER },
    logLevel: value.LOG_LEVEL,
  };
}

/** Files and secrets of Kubernetes end in a line break. */
function settingOf(variables: Variables, name: string): string | undefined {
  return holdsServiceLink(name, variables[name]) ? undefined : variables[name]?.trim() || undefined;
}

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
  // Without the signature's secret anybody could announce a payment.
  if (!value.STRIPE_WEBHOOK_SECRET) throw new ConfigError("STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET");
  return {
    secretKey: value.STRIPE_SECRET_KEY,
    webhookSecret: value.STRIPE_WEBHOOK_SECRET,
    publishableKey: value.STRIPE_PUBLISHABLE_KEY ?? null,
    apiBase: value.STRIPE_API_BASE ?? null,
    /** Real money; test keys and their events are apart from it. */
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
