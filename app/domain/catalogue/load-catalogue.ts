import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import { readCredentials } from "~/domain/credentials/index.server";
import { providerOf } from "./presets/presets";
import { openExtras } from "./sealed-extras";
import type {
  BatchProtocol,
  Capability,
  Catalogue,
  Lifecycle,
  LongContextPrice,
  Model,
  OutputField,
  PriceList,
  Route,
  ServiceTier,
  Supplier,
  SupplierKind,
  TierPrice,
} from "./shared";
import { findPrice, findUsableSuppliers, type PriceRow, readServable } from "./store";

/** Reads the catalogue for the gateway, with decrypted credentials. */
export async function readCatalogue(db: Db): Promise<Catalogue> {
  const rows = await readServable(db);
  const suppliers = await opened(db, rows.suppliers);
  const models = new Map<string, Model>();
  for (const { id, ownedBy, capability, contextTokens, maxOutputTokens, ...row } of rows.models) {
    const own = { id, ownedBy, capability: capability as Capability, contextTokens, maxOutputTokens, auto: row.auto };
    const known = { tools: row.tools ?? undefined, images: row.images ?? undefined, quality: row.quality ?? undefined };
    const fate = { lifecycle: (row.lifecycle as Lifecycle | null) ?? undefined, retiresAt: row.retiresAt ?? undefined };
    models.set(id, { ...known, ...fate, ...own, createdAt: row.createdAt });
  }
  const prices = new Map(rows.prices.map((row) => [row.route_id, priceList(row)]));
  const routes = new Map<string, Route[]>();
  for (const { id: routeId, modelId, supplierId, upstreamModel, priority, weight, ...row } of rows.routes) {
    const [model, supplier] = [models.get(modelId), suppliers.get(supplierId)];
    if (!model || !supplier) continue;
    const route = { routeId, model, supplier, upstreamModel, priority, weight, price: prices.get(routeId) ?? null };
    const own = {
      ...(row.outputField === null ? {} : { outputField: row.outputField as OutputField }),
      ...(row.profile === null ? {} : { profile: row.profile }),
    };
    routes.set(modelId, [...(routes.get(modelId) ?? []), { ...route, ...own }]);
  }
  return { models, routes };
}

/** Returns a supplier for the gateway, also one without models; null: unknown or inactive. */
export async function readSupplier(db: Db, id: number): Promise<Supplier | null> {
  return (await opened(db, await findUsableSuppliers(db, id))).get(id) ?? null;
}

async function opened(db: Db, rows: Awaited<ReturnType<typeof findUsableSuppliers>>): Promise<Map<number, Supplier>> {
  const credentials = await readCredentials(db);
  const suppliers = new Map<number, Supplier>();
  for (const {
    id,
    name,
    kind,
    baseUrl,
    region,
    timeoutMs,
    idleTimeoutMs,
    cooldown,
    streamUsage,
    speaksResponses,
    outputField,
    batchProtocol,
    batchPrice,
    sealedExtras,
    zeroDataRetention,
    status,
    source,
  } of rows) {
    const extras = openExtras(name, sealedExtras);
    // Without its extras, the supplier would get requests that its operator did not configure.
    if (extras === null) continue;
    const own = {
      id,
      name,
      kind: kind as SupplierKind,
      baseUrl,
      region,
      timeoutMs,
      idleTimeoutMs,
      cooldown,
      streamUsage,
      speaksResponses,
      outputField: (outputField as OutputField | null) ?? providerOf({ name, baseUrl })?.outputField,
      ...(batchProtocol === null || batchPrice === null
        ? {}
        : { batch: { protocol: batchProtocol as BatchProtocol, priceMillionths: batchPrice } }),
      zeroDataRetention: zeroDataRetention ?? undefined,
      extras,
    };
    const publicOnly = source === "portal" && !config().allowPrivateUpstreams;
    const draining = status === "draining";
    suppliers.set(id, { ...own, draining, publicOnly, credentials: credentials.get(id) ?? [] });
  }
  return suppliers;
}

/** Returns the price list of a version, also of a past one; null: unknown version. */
export async function readPriceList(db: Db, version: bigint): Promise<PriceList | null> {
  const row = await findPrice(db, version);
  return row === null ? null : priceList(row);
}

/** Converts a stored price to a price list. */
export function priceList(row: PriceRow): PriceList {
  return {
    version: Number(row.id),
    inputPerMtok: row.input_per_mtok,
    outputPerMtok: row.output_per_mtok,
    // Without a price for cached tokens, they cost what other input costs.
    cachedInputPerMtok: row.cached_input_per_mtok ?? row.input_per_mtok,
    cacheWritePerMtok: row.cache_write_per_mtok ?? row.input_per_mtok,
    perRequest: row.per_request,
    perSecond: row.per_second,
    perMchar: row.per_mchar,
    cacheWriteLongPerMtok: row.cache_write_1h_per_mtok,
    audioInputPerMtok: row.audio_input_per_mtok,
    audioOutputPerMtok: row.audio_output_per_mtok,
    perToolUse: row.per_tool_use,
    ...(row.long_context === null ? {} : { longContext: row.long_context.map(longContextPrice) }),
    ...(row.tiers === null ? {} : { tiers: tiersOf(row.tiers) }),
  };
}

type StoredLongContext = NonNullable<PriceRow["long_context"]>[number];
type StoredTier = NonNullable<NonNullable<PriceRow["tiers"]>[ServiceTier]>;

const longContextPrice = (stored: StoredLongContext): LongContextPrice => ({
  aboveInputTokens: stored.above_input_tokens,
  ...tokenPrices(stored),
});

function tokenPrices(stored: StoredLongContext | StoredTier): Omit<LongContextPrice, "aboveInputTokens"> {
  const inputPerMtok = BigInt(stored.input_per_mtok);
  const orAsInput = (text: string | undefined) => (text === undefined ? inputPerMtok : BigInt(text));
  return {
    inputPerMtok,
    outputPerMtok: BigInt(stored.output_per_mtok),
    cachedInputPerMtok: orAsInput(stored.cached_input_per_mtok),
    cacheWritePerMtok: orAsInput(stored.cache_write_per_mtok),
    cacheWriteLongPerMtok: stored.cache_write_1h_per_mtok === undefined ? null : BigInt(stored.cache_write_1h_per_mtok),
  };
}

const tiersOf = (stored: NonNullable<PriceRow["tiers"]>): NonNullable<PriceList["tiers"]> =>
  Object.fromEntries(Object.entries(stored).map(([tier, prices]) => [tier, tierPrice(prices)]));

/** Omitted parts of a tier are absent, so that those of the list apply. */
function tierPrice(stored: StoredTier): TierPrice {
  const { audio_input_per_mtok: heard, audio_output_per_mtok: spoken, long_context: long } = stored;
  return {
    ...tokenPrices(stored),
    ...(heard === undefined ? {} : { audioInputPerMtok: BigInt(heard) }),
    ...(spoken === undefined ? {} : { audioOutputPerMtok: BigInt(spoken) }),
    ...(long === undefined ? {} : { longContext: long.map(longContextPrice) }),
    askedOnly: stored.asked_only === true,
  };
}
