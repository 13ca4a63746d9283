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

/** What kind of API a supplier speaks; each has a folder under app/gateway/suppliers. */
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

/** The kinds of supplier that platform admins can add: those that ask for an API key and nothing else. */
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
 * What every request to a supplier carries besides, whatever the client says. Values may be secrets. `keyHeader`: where its key goes,
 * as it is; null: where such suppliers have it. Names of headers are lower-case.
 */
export type SupplierExtras = {
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  keyHeader: string | null;
};

/** The field of a chat request that states the most output: models that think know only the newer one, many suppliers only the older one. */
export const OUTPUT_FIELDS = ["max_tokens", "max_completion_tokens"] as const;
export type OutputField = (typeof OUTPUT_FIELDS)[number];
/** The formats in which suppliers take whole files of requests, to be answered within a day at a price of their own. */
export const BATCH_PROTOCOLS = ["openai", "anthropic"] as const;
export type BatchProtocol = (typeof BATCH_PROTOCOLS)[number];

/** How a supplier takes batches, and what its prices are multiplied by there, in millionths. */
export type BatchOffer = { protocol: BatchProtocol; priceMillionths: number };

/** A supplier as the gateway uses it. Secrets live in memory only, never in a log. */
export type Supplier = {
  id: number;
  name: string;
  kind: SupplierKind;
  /** Includes the version path, no trailing slash. `{model}` in it stands for the name that the supplier has for the model. */
  baseUrl: string;
  region: string;
  /** To the first byte. */
  timeoutMs: number;
  /** Silence inside a stream. */
  idleTimeoutMs: number;
  cooldown: boolean;
  /** Chat streams are asked to report their usage (`stream_options`), which some suppliers refuse; without it gw counts. */
  streamUsage: boolean;
  /** It takes the responses format, too; absent: it does not, and such clients are served in translation. */
  speaksResponses?: boolean;
  /** Where chat requests to it state the most output; absent: `max_tokens`. */
  outputField?: OutputField;
  /** It takes batches; absent: lines of batches are ordinary calls to it. */
  batch?: BatchOffer;
  /** What every request to it carries besides; absent: nothing. */
  extras?: SupplierExtras;
  /** It keeps nothing of what it is sent, or it does; absent: nobody has said. */
  zeroDataRetention?: boolean;
  draining: boolean;
  /** Calls go to addresses of the public internet only. */
  publicOnly?: boolean;
  credentials: readonly Credential[];
};

/** nano-USD per million tokens; nano-USD per request, per second, per million characters. `version` is frozen in each hold. */
export type PriceList = {
  version: number;
  inputPerMtok: bigint;
  outputPerMtok: bigint;
  cachedInputPerMtok: bigint;
  cacheWritePerMtok: bigint;
  perRequest: bigint;
  perSecond: bigint;
  perMchar: bigint;
  /** Written to a cache for an hour; null: twice the input price, or the other cache writes' where that is more. */
  cacheWriteLongPerMtok?: bigint | null;
  /** Tokens of sound; null: they cost what text costs. */
  audioInputPerMtok?: bigint | null;
  audioOutputPerMtok?: bigint | null;
  /** nano-USD for each search or other tool that the supplier runs and bills by use; null: nobody has said, so no call that offers one is dispatched. */
  perToolUse?: bigint | null;
  /** What calls with long inputs cost, by rising length; absent: what others cost. */
  longContext?: readonly LongContextPrice[];
  /** What calls cost that the supplier answers at another tier of service; absent, all or one: what others cost. */
  tiers?: Readonly<Partial<Record<ServiceTier, TierPrice>>>;
};

/** Tiers of service that suppliers price apart from their ordinary one. */
export const SERVICE_TIERS = ["flex", "priority", "batch"] as const;
export type ServiceTier = (typeof SERVICE_TIERS)[number];

/**
 * The token prices of a call with more input tokens than `aboveInputTokens`, for all of its tokens: they take the place of
 * the list's.
 */
export type LongContextPrice = { aboveInputTokens: number } & Pick<
  PriceList,
  "inputPerMtok" | "outputPerMtok" | "cachedInputPerMtok" | "cacheWritePerMtok" | "cacheWriteLongPerMtok"
>;

/**
 * The token prices of a tier; they take the place of the list's, and so do its prices for long inputs where it has some: else a
 * long call costs what the list says for its length. `askedOnly`: no call is answered at it that has not asked for it.
 */
export type TierPrice = Omit<LongContextPrice, "aboveInputTokens"> &
  Pick<PriceList, "audioInputPerMtok" | "audioOutputPerMtok" | "longContext"> & { askedOnly?: boolean };

/** One way to serve one model: a supplier in a region, its name for the model, and the price (null: not priced, never dispatched). */
export type Route = {
  routeId: number;
  model: Model;
  supplier: Supplier;
  upstreamModel: string;
  priority: number;
  weight: number;
  price: PriceList | null;
  /** Where requests for this model state the most output; absent: where the supplier's do. */
  outputField?: OutputField;
  /** What the model is, by a name of the tables of `profiles/`; absent: as its upstream name says. */
  profile?: string;
};

/** How settled a model is, where it is not simply there: tried out by its owner, or about to go. */
export const LIFECYCLES = ["preview", "deprecated"] as const;
export type Lifecycle = (typeof LIFECYCLES)[number];

export type Model = {
  id: string;
  ownedBy: string;
  capability: Capability;
  contextTokens: number;
  maxOutputTokens: number;
  /** Whether it can call tools and read images; undefined: nobody has said. */
  tools?: boolean;
  images?: boolean;
  /** 0 to 100, for the autorouter; undefined: judged by its price. */
  quality?: number;
  /** False: the autorouter never chooses it. */
  auto?: boolean;
  /** Undefined: nobody has said anything. */
  lifecycle?: Lifecycle;
  /** When it came into the catalogue; undefined: it is in none. */
  createdAt?: Date;
  /** When it is not served any more, as its owner says; undefined: nobody has said. gw itself serves it for as long as a supplier does. */
  retiresAt?: Date;
};

/** The whole catalogue at one moment; replaced as a whole when it changes. Routes of a model come by priority, then weight. */
export type Catalogue = {
  models: ReadonlyMap<string, Model>;
  routes: ReadonlyMap<string, readonly Route[]>;
};

/** `config`: the catalogue file or the environment says what it is; `portal`: platform admins do. */
export type Source = "config" | "portal";
export type SupplierStatus = "active" | "draining" | "inactive";

/** A supplier as platform admins see it; never a secret. */
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
  /** Whether its requests carry headers or parameters of their own. */
  hasExtras: boolean;
};

/** What requests to a supplier carry besides, by name; the values are shown to nobody. `isLost`: no GW_SECRET opens them. */
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
  /** Who serves it, in the order in which they are tried. */
  suppliers: readonly string[];
  /** Of how many of these nobody has said the price: such calls are never sent. */
  unpriced: number;
};

/** A way to serve a model with its price; `next`: the first price that is to come. */
export type AdminRoute = {
  id: number;
  modelId: string;
  capability: Capability;
  supplier: string;
  region: string;
  upstreamModel: string;
  priority: number;
  weight: number;
  /** Who owns its price: the source of the supplier. */
  source: Source;
  price: PriceList | null;
  since: Date | null;
  next: Date | null;
};

/** The place of a way to serve a model in the list of prices. */
export type PricePlace = { modelId: string; priority: number; weight: number; id: number };

/** Which prices are asked for; null: whatever it is. `search` stands in the name of the model or the supplier. */
export type PriceQuery = {
  search: string | null;
  supplier: string | null;
  /** Only ways to serve a model that have no price, which are never taken. */
  unpriced: boolean;
  after: PricePlace | null;
  limit: number;
};

export type AdminCatalogue = { suppliers: AdminSupplier[]; models: AdminModel[]; routes: AdminRoute[] };

/** A field that a supplier has refused for a model. `words`: what it said; `profile`: one that leaves out the same, null: there is none. */
export type LearnedRefusal = {
  model: string;
  field: string;
  words: string;
  refused: number;
  learnedAt: Date;
  expiresAt: Date;
  profile: string | null;
};
