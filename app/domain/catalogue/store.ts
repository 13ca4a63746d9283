import type { Db } from "~/connection/db.server";
import type { FilePrice } from "./file/file-schema";
import type { BatchProtocol, Capability, Lifecycle, OutputField, ServiceTier, SupplierKind } from "./shared";

// Advisory lock number; arbitrary, but the same in every process and used for nothing else.
const CATALOGUE_LOCK = 7_203_114_419n;

/** Lets only one transaction at a time change the catalogue. */
export const lockCatalogue = (db: Db) => db.$executeRaw`SELECT pg_advisory_xact_lock(${CATALOGUE_LOCK})`;

export const listSupplierNames = (db: Db) =>
  db.supplier.findMany({ select: { id: true, name: true, source: true, status: true, sealedExtras: true } });

/** Lists suppliers with sealed headers, query parameters or key header. */
export const listSealedExtras = (db: Db) =>
  db.supplier.findMany({ where: { sealedExtras: { not: null } }, select: { name: true, sealedExtras: true } });

/** Replaces a sealed text by the same text under another key, unless the row has changed. */
export const replaceSealedExtras = (db: Db, name: string, { from, to }: { from: string; to: string }) =>
  db.supplier.updateMany({ where: { name, sealedExtras: from }, data: { sealedExtras: to } });

export type SupplierRow = {
  name: string;
  kind: SupplierKind;
  baseUrl: string;
  region: string;
  timeoutMs: number;
  idleTimeoutMs: number;
  cooldown: boolean;
  streamUsage: boolean;
  speaksResponses: boolean;
  outputField: OutputField | null;
  batchProtocol: BatchProtocol | null;
  batchPrice: number | null;
  sealedExtras: string | null;
  zeroDataRetention: boolean | null;
};

// Each of these statements writes the whole file at once, as JSON; a bigint is sent as text.
const json = (rows: readonly object[]) =>
  JSON.stringify(rows, (_key, value) => (typeof value === "bigint" ? String(value) : value));

/** Writes suppliers of the file; a draining supplier stays draining. Returns the number of changed rows. */
export function saveSuppliers(db: Db, suppliers: readonly SupplierRow[]): Promise<number> {
  return db.$executeRaw`
    INSERT INTO supplier AS s (name, kind, base_url, region, timeout_ms, idle_timeout_ms, cooldown, stream_usage, speaks_responses, output_field, batch_protocol,
        batch_price, sealed_extras, zero_data_retention, source, status)
    SELECT name, kind, "baseUrl", region, "timeoutMs", "idleTimeoutMs", cooldown, "streamUsage", "speaksResponses", "outputField", "batchProtocol",
           "batchPrice", "sealedExtras", "zeroDataRetention", 'config', 'active'
    FROM jsonb_to_recordset(${json(suppliers)}::jsonb)
      AS f(name text, kind text, "baseUrl" text, region text, "timeoutMs" int, "idleTimeoutMs" int, cooldown boolean,
        "streamUsage" boolean, "speaksResponses" boolean, "outputField" text, "batchProtocol" text, "batchPrice" int, "sealedExtras" text, "zeroDataRetention" boolean)
    ON CONFLICT (name) DO UPDATE SET
      kind = excluded.kind, base_url = excluded.base_url, region = excluded.region, timeout_ms = excluded.timeout_ms,
      idle_timeout_ms = excluded.idle_timeout_ms, cooldown = excluded.cooldown, stream_usage = excluded.stream_usage, speaks_responses = excluded.speaks_responses,
      output_field = excluded.output_field, batch_protocol = excluded.batch_protocol, batch_price = excluded.batch_price, sealed_extras = excluded.sealed_extras,
      zero_data_retention = excluded.zero_data_retention, source = 'config',
      status = CASE WHEN s.status = 'inactive' THEN 'active' ELSE s.status END
    WHERE (s.kind, s.base_url, s.region, s.timeout_ms, s.idle_timeout_ms, s.cooldown, s.stream_usage, s.speaks_responses, s.output_field, s.batch_protocol, s.batch_price,
        s.sealed_extras, s.zero_data_retention, s.source, s.status = 'inactive')
      IS DISTINCT FROM (excluded.kind, excluded.base_url, excluded.region, excluded.timeout_ms, excluded.idle_timeout_ms,
        excluded.cooldown, excluded.stream_usage, excluded.speaks_responses, excluded.output_field, excluded.batch_protocol, excluded.batch_price,
        excluded.sealed_extras, excluded.zero_data_retention, 'config', false)`;
}

export type ModelRow = {
  id: string;
  ownedBy: string;
  capability: Capability;
  contextTokens: number;
  maxOutputTokens: number;
  tools: boolean | null;
  images: boolean | null;
  quality: number | null;
  auto: boolean;
  lifecycle: Lifecycle | null;
  retiresAt: Date | null;
};

/** Writes models of the file. Returns the number of changed rows. */
export function saveModels(db: Db, models: readonly ModelRow[]): Promise<number> {
  return db.$executeRaw`
    INSERT INTO model AS m (id, owned_by, capability, context_tokens, max_output_tokens, tools, images, quality, auto, lifecycle, retires_at, source, active)
    SELECT id, "ownedBy", capability, "contextTokens", "maxOutputTokens", tools, images, quality, auto, lifecycle, "retiresAt", 'config', true
    FROM jsonb_to_recordset(${json(models)}::jsonb)
      AS f(id text, "ownedBy" text, capability text, "contextTokens" int, "maxOutputTokens" int,
        tools boolean, images boolean, quality smallint, auto boolean, lifecycle text, "retiresAt" timestamptz)
    ON CONFLICT (id) DO UPDATE SET
      owned_by = excluded.owned_by, capability = excluded.capability, context_tokens = excluded.context_tokens,
      max_output_tokens = excluded.max_output_tokens, tools = excluded.tools, images = excluded.images,
      quality = excluded.quality, auto = excluded.auto, lifecycle = excluded.lifecycle, retires_at = excluded.retires_at,
      source = 'config', active = true
    WHERE (m.owned_by, m.capability, m.context_tokens, m.max_output_tokens, m.tools, m.images, m.quality, m.auto, m.lifecycle, m.retires_at, m.source, m.active)
      IS DISTINCT FROM (excluded.owned_by, excluded.capability, excluded.context_tokens, excluded.max_output_tokens,
        excluded.tools, excluded.images, excluded.quality, excluded.auto, excluded.lifecycle, excluded.retires_at, 'config', true)`;
}

export type RouteRow = {
  modelId: string;
  supplier: string;
  upstreamModel: string;
  priority: number;
  weight: number;
  price: FilePrice | null;
  outputField: OutputField | null;
  profile: string | null;
};

/** Writes routes of the file, and a price if it differs from the newest one. Returns the number of changed rows. */
export async function saveRoutes(db: Db, routes: readonly RouteRow[]): Promise<number> {
  const saved = await db.$executeRaw`
    INSERT INTO model_route AS r (model_id, supplier_id, upstream_model, priority, weight, output_field, profile, active)
    SELECT f."modelId", s.id, f."upstreamModel", f.priority, f.weight, f."outputField", f.profile, true
    FROM jsonb_to_recordset(${json(routes)}::jsonb)
      AS f("modelId" text, supplier text, "upstreamModel" text, priority int, weight int, "outputField" text, profile text)
    JOIN supplier s ON s.name = f.supplier
    ON CONFLICT (model_id, supplier_id, upstream_model) DO UPDATE SET
      priority = excluded.priority, weight = excluded.weight, output_field = excluded.output_field, profile = excluded.profile,
      active = true
    WHERE (r.priority, r.weight, r.output_field, r.profile, r.active)
      IS DISTINCT FROM (excluded.priority, excluded.weight, excluded.output_field, excluded.profile, true)`;
  return saved + (await appendPrices(db, routes));
}

export type PricedRow = Pick<RouteRow, "modelId" | "supplier" | "upstreamModel" | "price">;

/**
 * Writes prices of existing routes from a time on (null: now), where they differ from those in force then.
 * Returns the number of new prices.
 */
export function appendPrices(db: Db, routes: readonly PricedRow[], from: Date | null = null): Promise<number> {
  const priced = routes.flatMap(({ price, modelId, supplier, upstreamModel }) =>
    price ? [{ modelId, supplier, upstreamModel, ...price }] : [],
  );
  return db.$executeRaw`
    WITH wanted AS (
      SELECT r.id AS route_id, coalesce(f.input_per_mtok, 0) AS input_per_mtok, coalesce(f.output_per_mtok, 0) AS output_per_mtok,
        f.cached_input_per_mtok, f.cache_write_per_mtok, coalesce(f.per_request, 0) AS per_request,
        coalesce(f.per_second, 0) AS per_second, coalesce(f.per_mchar, 0) AS per_mchar,
        f.cache_write_1h_per_mtok, f.audio_input_per_mtok, f.audio_output_per_mtok, f.per_tool_use, f.long_context, f.tiers
      FROM jsonb_to_recordset(${json(priced)}::jsonb)
        AS f("modelId" text, supplier text, "upstreamModel" text, input_per_mtok bigint, output_per_mtok bigint,
          cached_input_per_mtok bigint, cache_write_per_mtok bigint, per_request bigint, per_second bigint, per_mchar bigint,
          cache_write_1h_per_mtok bigint, audio_input_per_mtok bigint, audio_output_per_mtok bigint, per_tool_use bigint,
          long_context jsonb, tiers jsonb)
      JOIN supplier s ON s.name = f.supplier
      JOIN model_route r ON r.model_id = f."modelId" AND r.supplier_id = s.id AND r.upstream_model = f."upstreamModel"
    ), newest AS (
      SELECT DISTINCT ON (route_id) * FROM price
      WHERE route_id IN (SELECT route_id FROM wanted) AND valid_from <= coalesce(${from}::timestamptz, clock_timestamp())
      ORDER BY route_id, valid_from DESC, id DESC
    )
    INSERT INTO price (valid_from, route_id, input_per_mtok, output_per_mtok, cached_input_per_mtok, cache_write_per_mtok, per_request, per_second, per_mchar,
      cache_write_1h_per_mtok, audio_input_per_mtok, audio_output_per_mtok, per_tool_use, long_context, tiers)
    SELECT coalesce(${from}::timestamptz, clock_timestamp()), w.* FROM wanted w LEFT JOIN newest n USING (route_id)
    WHERE n.id IS NULL
      OR (n.input_per_mtok, n.output_per_mtok, n.cached_input_per_mtok, n.cache_write_per_mtok, n.per_request, n.per_second, n.per_mchar,
          n.cache_write_1h_per_mtok, n.audio_input_per_mtok, n.audio_output_per_mtok, n.per_tool_use,
          n.long_context, n.tiers)
        IS DISTINCT FROM (w.input_per_mtok, w.output_per_mtok, w.cached_input_per_mtok, w.cache_write_per_mtok, w.per_request, w.per_second, w.per_mchar,
          w.cache_write_1h_per_mtok, w.audio_input_per_mtok, w.audio_output_per_mtok, w.per_tool_use,
          w.long_context, w.tiers)
    ORDER BY w.route_id`;
}

/** Deactivates what only an earlier file had. Models and suppliers of the portal are not affected. */
export async function retireMissing(
  db: Db,
  retained: { suppliers: string[]; models: string[]; routes: readonly RouteRow[] },
): Promise<number> {
  const [models, suppliers, upstreams] = [
    retained.routes.map((route) => route.modelId),
    retained.routes.map((route) => route.supplier),
    retained.routes.map((route) => route.upstreamModel),
  ];
  const routes = await db.$executeRaw`
    UPDATE model_route r SET active = false FROM supplier s, model m
    WHERE s.id = r.supplier_id AND m.id = r.model_id AND r.active AND s.source = 'config' AND m.source = 'config'
      AND NOT EXISTS (
        SELECT 1 FROM unnest(${models}::text[], ${suppliers}::text[], ${upstreams}::text[]) AS k(model, supplier, upstream)
        WHERE k.model = r.model_id AND k.supplier = s.name AND k.upstream = r.upstream_model)`;
  const deletedModels = await db.$executeRaw`
    UPDATE model SET active = false WHERE active AND source = 'config' AND NOT id = ANY(${retained.models}::text[])`;
  const deletedSuppliers = await db.$executeRaw`
    UPDATE supplier SET status = 'inactive', sealed_extras = NULL
    WHERE status <> 'inactive' AND source = 'config' AND NOT name = ANY(${retained.suppliers}::text[])`;
  return routes + deletedModels + deletedSuppliers;
}

/** Lists suppliers that are not inactive, or only the one with this id. */
export const findUsableSuppliers = (db: Db, id?: number) =>
  db.supplier.findMany({ where: { id, status: { not: "inactive" } } });

/** Reads all models and routes that can be served, each route with its newest price, best route first. */
export async function readServable(db: Db) {
  const models = await db.model.findMany({ where: { active: true }, orderBy: { id: "asc" } });
  const suppliers = await findUsableSuppliers(db);
  const routes = await db.modelRoute.findMany({
    where: { active: true, model: { active: true }, supplier: { status: { not: "inactive" } } },
    orderBy: [{ priority: "asc" }, { weight: "desc" }, { id: "asc" }],
  });
  const prices = await db.$queryRaw<PriceRow[]>`
    SELECT DISTINCT ON (route_id) id, route_id, input_per_mtok, output_per_mtok, cached_input_per_mtok, cache_write_per_mtok,
      per_request, per_second, per_mchar, cache_write_1h_per_mtok, audio_input_per_mtok, audio_output_per_mtok, per_tool_use, long_context, tiers
    FROM price WHERE valid_from <= now() ORDER BY route_id, valid_from DESC, id DESC`;
  return { models, suppliers, routes, prices };
}

/** Returns the milliseconds until the next scheduled price by the database's clock; null: none is scheduled. */
export async function msToNextPrice(db: Db): Promise<number | null> {
  const [row] = await db.$queryRaw<{ ms: number | null }[]>`
    SELECT ceil(extract(epoch FROM min(valid_from) - now()) * 1000)::float8 AS ms FROM price WHERE valid_from > now()`;
  return row?.ms ?? null;
}

export async function findPrice(db: Db, version: bigint): Promise<PriceRow | null> {
  const [row] = await db.$queryRaw<PriceRow[]>`
    SELECT id, route_id, input_per_mtok, output_per_mtok, cached_input_per_mtok, cache_write_per_mtok,
      per_request, per_second, per_mchar, cache_write_1h_per_mtok, audio_input_per_mtok, audio_output_per_mtok, per_tool_use, long_context, tiers
    FROM price WHERE id = ${version}`;
  return row ?? null;
}

export type PriceRow = {
  id: bigint;
  route_id: number;
  input_per_mtok: bigint;
  output_per_mtok: bigint;
  cached_input_per_mtok: bigint | null;
  cache_write_per_mtok: bigint | null;
  per_request: bigint;
  per_second: bigint;
  per_mchar: bigint;
  cache_write_1h_per_mtok: bigint | null;
  audio_input_per_mtok: bigint | null;
  audio_output_per_mtok: bigint | null;
  per_tool_use: bigint | null;
  long_context: StoredLongContext[] | null;
  tiers: Partial<Record<ServiceTier, StoredTier>> | null;
};

/** Token prices in a stored document. Amounts are texts, because JSON numbers are not exact at this size. */
type StoredAmounts = {
  input_per_mtok: string;
  output_per_mtok: string;
  cached_input_per_mtok?: string;
  cache_write_per_mtok?: string;
  cache_write_1h_per_mtok?: string;
};

/** A price for long inputs, and the price of a tier. */
type StoredLongContext = StoredAmounts & { above_input_tokens: number };
type StoredTier = StoredAmounts & {
  audio_input_per_mtok?: string;
  audio_output_per_mtok?: string;
  long_context?: StoredLongContext[];
  asked_only?: boolean;
};
