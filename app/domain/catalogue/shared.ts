import type { Credential } from "~/domain/credentials/shared";

export type { Credential } from "~/domain/credentials/shared";
export {
  EXTRA_PLACES,
  type ExtraPlace,
  isExtraValue,
  isHeaderName,
  isOwnHeader,
  isOwnParameter,
  isParameterName,
  MAX_EXTRAS,
} from "./extras-rules";
export type { LineProblem, PricePlan } from "./price-file/shared";
export { isJsonColumn, MAX_FILE_CHARACTERS, MAX_FILE_LINES } from "./price-file/shared";

/** The API of a supplier; each kind has a folder under app/gateway/suppliers. */
export const SUPPLIER_KINDS = [
  "chat",
  "messages",
  "bedrock",
  "cohere",
  "gemini",
  "vertex",
  "native_agent",
  "aggregator",
  "gateway",
  "sandbox",
] as const;
export type SupplierKind = (typeof SUPPLIER_KINDS)[number];

/** Kinds of supplier that platform admins can add: those that need only an API key. */
export const PORTAL_KINDS = [
  "chat",
  "messages",
  "bedrock",
  "cohere",
  "gemini",
  "vertex",
  "gateway",
] as const satisfies readonly SupplierKind[];
export type PortalKind = (typeof PORTAL_KINDS)[number];

export const CAPABILITIES = ["chat", "embedding", "rerank", "moderation", "image", "transcription", "speech"] as const;
export type Capability = (typeof CAPABILITIES)[number];

/**
 * Headers and parameters added to every request to a supplier, whatever the client sends. Values may be secrets.
 * `keyHeader`: the header for the bare key; null: the default of the supplier's kind. Header names are lower-case.
 */
export type SupplierExtras = {
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  keyHeader: string | null;
};

/**
 * Fields of a chat request for the maximum output: reasoning models know only the newer one, many suppliers only the
 * older one.
 */
export const OUTPUT_FIELDS = ["max_tokens", "max_completion_tokens"] as const;
export type OutputField = (typeof OUTPUT_FIELDS)[number];
/** Batch formats of suppliers: files of requests, answered within a day at a separate price. */
export const BATCH_PROTOCOLS = ["openai", "anthropic"] as const;
export type BatchProtocol = (typeof BATCH_PROTOCOLS)[number];

/** Batch support of a supplier; its prices are multiplied by `priceMillionths` / 1,000,000 in batches. */
export type BatchOffer = { protocol: BatchProtocol; priceMillionths: number };

/** A supplier as the gateway uses it. Secrets are in memory only, never in logs. */
export type Supplier = {
  id: number;
  name: string;
  kind: SupplierKind;
  /**
   * Includes the version path, without a trailing slash. `{model}` is replaced by the supplier's name for the model.
   */
  baseUrl: string;
  region: string;
  /** Timeout in milliseconds until the first byte. */
  timeoutMs: number;
  /** Maximum silence in milliseconds within a stream. */
  idleTimeoutMs: number;
  cooldown: boolean;
  /** Chat streams request usage (`stream_options`), which some suppliers reject. Without it, gw counts tokens. */
  streamUsage: boolean;
  /** The supplier also accepts the responses format; absent: gw translates for such clients. */
  speaksResponses?: boolean;
  /** Field for the maximum output in chat requests; absent: `max_tokens`. */
  outputField?: OutputField;
  /** Batch support; absent: batch lines are sent as ordinary calls. */
  batch?: BatchOffer;
  /** Headers and parameters added to every request; absent: none. */
  extras?: SupplierExtras;
  /** Whether the supplier stores nothing that it receives; absent: unknown. */
  zeroDataRetention?: boolean;
  draining: boolean;
  /** Calls go only to public internet addresses. */
  publicOnly?: boolean;
  credentials: readonly Credential[];
};

/**
 * nano-USD per million tokens; nano-USD per request, per second, per million characters. `version` is frozen in each
 * hold.
 */
export type PriceList = {
  version: number;
  inputPerMtok: bigint;
  outputPerMtok: bigint;
  cachedInputPerMtok: bigint;
  cacheWritePerMtok: bigint;
  perRequest: bigint;
  perSecond: bigint;
  perMchar: bigint;
  /**
   * Tokens written to a cache for an hour; null: twice the input price, or the price of other cache writes if higher.
   */
  cacheWriteLongPerMtok?: bigint | null;
  /** Audio tokens; null: the price of text. */
  audioInputPerMtok?: bigint | null;
  audioOutputPerMtok?: bigint | null;
  /**
   * nano-USD for each search or other tool that the supplier runs and bills by use; null: unknown, so no call that
   * offers one is dispatched.
   */
  perToolUse?: bigint | null;
  /** Prices of calls with long inputs, by ascending length; absent: none. */
  longContext?: readonly LongContextPrice[];
  /** Prices of calls at another service tier, all or only some parts; absent: the ordinary ones. */
  tiers?: Readonly<Partial<Record<ServiceTier, TierPrice>>>;
};

/** Service tiers with prices other than the ordinary ones. */
export const SERVICE_TIERS = ["flex", "priority", "batch"] as const;
export type ServiceTier = (typeof SERVICE_TIERS)[number];

/**
 * Token prices of a call with more input tokens than `aboveInputTokens`, for all of its tokens. They replace the
 * list's.
 */
export type LongContextPrice = { aboveInputTokens: number } & Pick<
  PriceList,
  "inputPerMtok" | "outputPerMtok" | "cachedInputPerMtok" | "cacheWritePerMtok" | "cacheWriteLongPerMtok"
>;

/**
 * Token prices of a tier, which replace the list's. Its prices for long inputs replace the list's, too; without them,
 * long calls cost what the list defines for their length. `askedOnly`: the tier applies only to calls that request it.
 */
export type TierPrice = Omit<LongContextPrice, "aboveInputTokens"> &
  Pick<PriceList, "audioInputPerMtok" | "audioOutputPerMtok" | "longContext"> & { askedOnly?: boolean };

/** A model's way to one supplier in a region: upstream name and price (null: unpriced, never dispatched). */
export type Route = {
  routeId: number;
  model: Model;
  supplier: Supplier;
  upstreamModel: string;
  priority: number;
  weight: number;
  price: PriceList | null;
  /** Field for the maximum output in requests for this model; absent: as for the supplier. */
  outputField?: OutputField;
  /** Name of the model's profile in `profiles/`; absent: derived from the upstream name. */
  profile?: string;
};

/**
 * Timeouts in milliseconds of suppliers without their own: those of the client libraries, long enough for silent
 * reasoning.
 */
export const USUAL_PATIENCE = { timeoutMs: 600_000, idleTimeoutMs: 300_000 } as const;

/** Lifecycle stages other than generally available: a preview, or soon to be retired. */
export const LIFECYCLES = ["preview", "deprecated"] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

export type Model = {
  id: string;
  ownedBy: string;
  capability: Capability;
  contextTokens: number;
  maxOutputTokens: number;
  /** Whether the model can call tools and read images; undefined: unknown. */
  tools?: boolean;
  images?: boolean;
  /** 0 to 100, for the autorouter; undefined: judged by its price. */
  quality?: number;
  /** False: the autorouter never chooses it. */
  auto?: boolean;
  /** Undefined: not declared. */
  lifecycle?: Lifecycle;
  /** When the model was added to the catalogue; undefined: not in the catalogue. */
  createdAt?: Date;
  /** When the model's owner retires it; undefined: unknown. gw serves it as long as a supplier does. */
  retiresAt?: Date;
};

/** A complete catalogue; replaced as a whole by each change. Routes of a model are ordered by priority, then weight. */
export type Catalogue = {
  models: ReadonlyMap<string, Model>;
  routes: ReadonlyMap<string, readonly Route[]>;
};

/** Owner of a supplier's settings. `config`: the catalogue file or the environment; `portal`: platform admins. */
export type Source = "config" | "portal";
export type SupplierStatus = "active" | "draining" | "inactive";

/** A supplier as platform admins see it, without secrets. */
export type AdminSupplier = {
  id: number;
  name: string;
  kind: SupplierKind;
  baseUrl: string;
  region: string;
  timeoutMs: number;
  idleTimeoutMs: number;
  source: Source;
  status: SupplierStatus;
  models: number;
  credentials: number;
  /** Whether its requests have additional headers or parameters. */
  hasExtras: boolean;
};

/** Names of a supplier's extras; the values are never shown. `isLost`: no GW_SECRET decrypts them. */
export type ExtraNames = {
  headers: readonly string[];
  query: readonly string[];
  keyHeader: string | null;
  isLost: boolean;
};

export type AdminModel = {
  id: string;
  capability: Capability;
  contextTokens: number;
  maxOutputTokens: number;
  source: Source;
  active: boolean;
  /** Suppliers of the model, in the order in which they are tried. */
  suppliers: readonly string[];
  /** Number of these without a price: they get no calls. */
  unpriced: number;
};

/** A route with its price; `next`: the next scheduled price. */
export type AdminRoute = {
  id: number;
  modelId: string;
  capability: Capability;
  supplier: string;
  region: string;
  upstreamModel: string;
  priority: number;
  weight: number;
  /** Profile of the model, if an admin has chosen one. */
  profile: string | null;
  /** Owner of the price: the source of the supplier. */
  source: Source;
  price: PriceList | null;
  since: Date | null;
  next: Date | null;
};

/** Position of a route in the price list. */
export type PricePlace = { modelId: string; priority: number; weight: number; id: number };

/** Filter of the price list; null: any. `search` matches the name of the model or the supplier. */
export type PriceQuery = {
  search: string | null;
  supplier: string | null;
  /** Only routes without a price, which are never used. */
  unpriced: boolean;
  after: PricePlace | null;
  limit: number;
};

export type AdminCatalogue = { suppliers: AdminSupplier[]; models: AdminModel[]; routes: AdminRoute[] };

/**
 * A field that a supplier has rejected for a model. `words`: its message; `profile`: one that omits the same field,
 * null: none.
 */
export type LearnedRefusal = {
  model: string;
  field: string;
  words: string;
  refused: number;
  learnedAt: Date;
  expiresAt: Date;
  profile: string | null;
};
