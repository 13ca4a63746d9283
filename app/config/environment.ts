import { z } from "zod";
import { databaseAddress } from "./database-address";
import {
  flag,
  gatewayKey,
  integer,
  mailServer,
  origin,
  percentage,
  printable,
  processorOrigin,
  proxyAddress,
  secrets,
  sender,
  upTo,
  usdCents,
  webAddress,
} from "./fields";
import { providerVariables } from "./identity-providers";
import { providerKeyVariables } from "./provider-keys";
import { headerName, proxies } from "./trusted-proxies";

/** Meaning of a variable and its default, for the documentation. */
export type VariableNote = { meaning: string; shown: string };

const note = (meaning: string, shown = "unset"): VariableNote => ({ meaning, shown });
const text = z.string();

/**
 * All environment variables that the server reads. A test compares the documentation and `.env.example` with this
 * table.
 */
export const Environment = z.object({
  PORT: integer(1, 65535).default(3000).meta(note("Port to listen on.", "3000")),
  HOST: text.default("127.0.0.1").meta(note("Address to listen on; `0.0.0.0` for every interface.", "127.0.0.1")),
  GW_METRICS_PORT: integer(1, 65535)
    .optional()
    .meta(
      note(
        "Port for `GET /metrics`, as Prometheus reads it, on `HOST`. Whoever reaches the port may read it: keep it inside your network.",
        "unset: nothing is counted",
      ),
    ),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress
    .optional()
    .meta(
      note(
        "Where traces are sent by OTLP over HTTP, such as `http://localhost:4318`. Other `OTEL_…` variables are those of the OpenTelemetry specification.",
        "unset: nothing is traced",
      ),
    ),
  BASE_URL: origin
    .optional()
    .meta(note("The public origin, as people and applications reach it.", "http://localhost:$PORT")),
  DATABASE_URL: databaseAddress.optional().meta(note("PostgreSQL. Unset: the embedded database, in `DATA_DIR`.")),
  DATABASE_MIGRATION_URL: databaseAddress
    .optional()
    .meta(
      note(
        "The same database under the role that owns the tables. Migrations run with it, and it gives the role of `DATABASE_URL` what the server needs; nothing else uses it.",
        "unset: migrations run with `DATABASE_URL`",
      ),
    ),
  DATABASE_POOL_SIZE: integer(2, 500)
    .default(10)
    .meta(note("Connections to PostgreSQL that one process opens at most.", "10")),
  DATABASE_WAIT_SECONDS: integer(0, 3_600)
    .default(120)
    .meta(
      note(
        "How long a start, and `npm run migrate`, wait for a PostgreSQL that cannot be reached yet. 0: not at all.",
        "120",
      ),
    ),
  DATA_DIR: text
    .default("./data")
    .meta(note("Embedded database, mail files, generated secret, settlement journal.", "./data")),
  GW_CONFIG: text
    .optional()
    .meta(
      note(
        "File with suppliers, models and prices, applied at every start and whenever it changes.",
        "./gw.config.yaml, if there",
      ),
    ),
  GW_PRICES: text
    .optional()
    .meta(
      note(
        "List prices in place of those that this version of gw comes with: the file that `npm run prices` writes.",
        "DATA_DIR/prices.json, if there",
      ),
    ),
  ...providerKeyVariables,
  GW_SECRET: secrets
    .optional()
    .meta(
      note(
        "Key material for sessions and for secrets at rest, 32 characters or more; several, comma-separated, for rotation: the first one is used for what is new. Required with `DATABASE_URL`.",
        "generated into `DATA_DIR/secret`",
      ),
    ),
  GW_ROOT_ADMIN_KEY: gatewayKey.optional().meta(note("Root admin key on first start.", "generated, printed once")),
  GW_ORGANISATION_NAME: upTo(120).default("Home").meta(note("Name of the first organisation on first start.", "Home")),
  GW_OWNER_EMAIL: z
    .email("must be an e-mail address")
    .optional()
    .meta(note("E-mail address of the owner on first start.", "owner@localhost")),
  GW_OWNER_PASSWORD: upTo(128)
    .min(10, "needs at least 10 characters")
    .optional()
    .meta(
      note("Password of the owner on first start; needs `GW_OWNER_EMAIL`.", "unset: a one-time set-up link is printed"),
    ),
  GW_OPERATOR_NAME: upTo(200)
    .optional()
    .meta(note("Who runs this installation, as the legal pages name them.", "unset: the pages say so")),
  GW_OPERATOR_ADDRESS: upTo(300)
    .optional()
    .meta(note("Postal address of the operator, on one line.", "unset: the pages say so")),
  GW_OPERATOR_EMAIL: z
    .email("must be an e-mail address")
    .optional()
    .meta(note("Where people can write to the operator.", "unset: the pages say so")),
  GW_OPERATOR_COUNTRY: upTo(120).optional().meta(note("Country whose law the terms name.", "unset: the pages say so")),
  GW_SIGNUP: z
    .enum(["open", "invite"], "must be open or invite")
    .optional()
    .meta(
      note(
        "Who may open an account: everybody (`open`), or only people who were invited (`invite`).",
        "`open` with `STRIPE_SECRET_KEY`, else `invite`",
      ),
    ),
  GW_PASSWORD_SIGN_IN: flag
    .default(true)
    .meta(note("`false`: people sign in through the identity providers only; needs one of them.", "true")),
  GW_STATUS_PAGE: flag
    .default(true)
    .meta(
      note(
        "`false`: no public page `/status` with uptime and latency of the models. It shows no figure of fewer than 50 requests.",
        "true",
      ),
    ),
  HTTPS_PROXY: proxyAddress
    .optional()
    .meta(
      note(
        "Proxy through which calls reach suppliers, identity providers and Stripe at https addresses, by CONNECT; may have a user and a password. Lower-case names work too, also for the next two.",
      ),
    ),
  HTTP_PROXY: proxyAddress.optional().meta(note("The same for http addresses; also for https without `HTTPS_PROXY`.")),
  NO_PROXY: text
    .optional()
    .meta(
      note(
        "Hosts that are reached without the proxy, comma-separated, with their subdomains; addresses, networks such as `10.0.0.0/8`, and ports count too. `*`: all of them.",
      ),
    ),
  GW_ALLOW_PRIVATE_UPSTREAMS: flag
    .default(false)
    .meta(
      note("Suppliers added in the portal may point at private addresses. Those of `GW_CONFIG` always may.", "false"),
    ),
  GW_ALLOW_PRIVATE_WEBHOOKS: flag
    .default(false)
    .meta(note("Webhooks for alerts and guardrails may be sent to private addresses, and without TLS.", "false")),
  GW_MAX_JSON_BYTES: integer(1024, 1_073_741_824)
    .default(10_485_760)
    .meta(note("Largest JSON body of a gateway request.", "10485760")),
  GW_LONG_BODIES_BYTES: integer(1024, 1_099_511_627_776)
    .default(67_108_864)
    .meta(note("Bytes of JSON bodies over 256 KiB that a process keeps at once; more wait to be read.", "67108864")),
  GW_MAX_AUDIO_BYTES: integer(1024, 1_073_741_824).default(26_214_400).meta(note("Largest audio upload.", "26214400")),
  GW_MAX_IMAGE_BYTES: integer(1024, 1_073_741_824)
    .default(52_428_800)
    .meta(note("Largest upload of images to edit, all of a request together.", "52428800")),
  GW_HEADERS_TIMEOUT_MS: integer(100, 600_000)
    .default(10_000)
    .meta(note("A client's request headers have to arrive within this time.", "10000")),
  GW_REQUEST_TIMEOUT_MS: integer(100, 3_600_000)
    .default(60_000)
    .meta(
      note("A client's whole request has to arrive within this time; an upload may not pause for as long.", "60000"),
    ),
  GW_UPLOAD_TIMEOUT_MS: integer(100, 3_600_000)
    .default(300_000)
    .meta(note("A client's whole upload has to arrive within this time.", "300000")),
  GW_KEEP_ALIVE_TIMEOUT_MS: integer(1_000, 7_200_000)
    .default(65_000)
    .meta(
      note(
        "A client's connection is closed after this time without a request; a proxy in front has to close its own earlier.",
        "65000",
      ),
    ),
  GW_SANDBOX_FREE_RPM: integer(0, 1_000_000)
    .default(600)
    .meta(
      note(
        "Requests a minute that an organisation has from suppliers of kind `sandbox` without being charged, in each process. `0`: they are charged like all others.",
        "600",
      ),
    ),
  GW_ROUTES_SHOWN: z
    .enum(["all", "tried", "served"], "must be all, tried or served")
    .default("all")
    .meta(
      note(
        "Suppliers that customers see on the page of a request and in a dry run: `all` candidates, those that were `tried`, or the one that `served` it. Operators see all.",
        "all",
      ),
    ),
  GW_DRAIN_TIMEOUT_MS: integer(0, 3_600_000)
    .default(30_000)
    .meta(note("Time that open streams get to finish after SIGTERM.", "30000")),
  GW_HOLD_LEASE_SECONDS: integer(1, 3_600)
    .default(60)
    .meta(note("A hold that nobody renews for this long is looked into.", "60")),
  GW_STORED_RESPONSES_DAYS: integer(0, 365)
    .default(30)
    .meta(
      note(
        "For how long responses of `/v1/responses` are stored, encrypted, unless their client says `store: false`. 0: none is.",
        "30",
      ),
    ),
  GW_MAX_FILE_BYTES: integer(1024, 1_073_741_824)
    .default(104_857_600)
    .meta(note("Largest file of `/v1/files`.", "104857600")),
  GW_FILES_BYTES: integer(1024, 1_099_511_627_776)
    .default(1_073_741_824)
    .meta(note("Bytes of files that are kept for the owner of a key in an organisation, all together.", "1073741824")),
  GW_FILES_DAYS: integer(0, 365)
    .default(30)
    .meta(note("For how long files of `/v1/files` are kept, encrypted. 0: none is, and there are no batches.", "30")),
  GW_BATCH_LINES: integer(1, 100_000).default(50_000).meta(note("Most lines of a batch.", "50000")),
  GW_BATCH_CONCURRENCY: integer(1, 64)
    .default(4)
    .meta(note("Calls of batches that are made at once, all batches together.", "4")),
  SMTP_URL: mailServer.optional().meta(note("Mail server.", "unset: `.eml` files in `DATA_DIR/mail`")),
  MAIL_FROM: sender.default("gw <no-reply@localhost>").meta(note("Sender of mails.", "gw <no-reply@localhost>")),
  STRIPE_SECRET_KEY: printable
    .refine(
      (key) => !/^(pk|mk|whsec|sk_org)_/.test(key),
      "must be a secret or restricted key of one account: sk_… or rk_…",
    )
    .optional()
    .meta(
      note(
        "Card payments through Stripe: wallets are funded by checkout, and organisations that sign up pay for what they use. Needs `STRIPE_WEBHOOK_SECRET`.",
        "unset: they are billing-exempt",
      ),
    ),
  STRIPE_PUBLISHABLE_KEY: printable.optional().meta(note("What pages in the browser may know of the Stripe account.")),
  STRIPE_WEBHOOK_SECRET: printable
    .regex(/^whsec_[^,]+(,whsec_[^,]+)*$/, "must start with whsec_, as must each of several with commas between them")
    .optional()
    .meta(
      note(
        "Signing secret of the webhook endpoint `/api/billing/processor/webhook`; begins with `whsec_`. Several, with commas between them, while one is exchanged.",
      ),
    ),
  STRIPE_API_BASE: processorOrigin
    .optional()
    .meta(
      note(
        "Another origin for Stripe's API, for tests and proxies; plain `http:` only on this machine.",
        "https://api.stripe.com",
      ),
    ),
  STRIPE_TAX: flag.default(false).meta(note("`true`: Stripe Tax adds tax in the checkout.", "false")),
  GW_FUNDING_FEE_PERCENT: percentage
    .default(0n)
    .meta(note("What a card payment costs on top of the credit, in percent of it, such as `2.9`.", "0")),
  GW_FUNDING_FEE_FIXED: usdCents(0n)
    .default(0n)
    .meta(note("The fixed part of that fee in US dollars, such as `0.30`.", "0")),
  GW_FUNDING_MIN: usdCents(1_000_000_000n)
    .default(5_000_000_000n)
    .meta(note("Smallest credit of one card payment in US dollars, 1 or more.", "5")),
  GW_FUNDING_MAX: usdCents(1_000_000_000n)
    .default(5_000_000_000_000n)
    .meta(note("Largest credit of one card payment in US dollars.", "5000")),
  GW_PLAYGROUND_DAILY: usdCents(0n)
    .default(2_000_000_000n)
    .meta(note("What one person may spend in the playground in a day (UTC), in US dollars; `0` closes it.", "2")),
  ...providerVariables("A", "First"),
  ...providerVariables("B", "Second"),
  TRUST_PROXY: proxies
    .default(0)
    .meta(
      note(
        "Proxies in front whose word about the address of a client counts: how many, or their networks, such as `10.0.0.0/8`, separated by commas; `private` stands for all private networks.",
        "0",
      ),
    ),
  TRUST_PROXY_HEADER: headerName
    .default("x-forwarded-for")
    .meta(
      note(
        "The header in which they write it, such as `Forwarded`, `X-Real-IP` or `CF-Connecting-IP`.",
        "X-Forwarded-For",
      ),
    ),
  LOG_LEVEL: z
    .string()
    .toLowerCase()
    .pipe(
      z.enum(
        ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
        "must be fatal, error, warn, info, debug, trace or silent",
      ),
    )
    .default("info")
    .meta(note("Least level that is logged.", "info")),
});

export type EnvironmentName = keyof typeof Environment.shape;
export const ENVIRONMENT_NAMES = Object.keys(Environment.shape) as EnvironmentName[];

/** Returns the meaning and default of a variable, for the documentation; undefined for a variable without effect. */
export const noteOf = (name: EnvironmentName) => Environment.shape[name].meta() as VariableNote | undefined;
