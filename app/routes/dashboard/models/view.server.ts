import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { catalogue, readPriceHistory } from "~/domain/catalogue/index.server";
import { listActorKeys, readActorKey } from "~/domain/keys/index.server";
import { priceUsage } from "~/domain/pricing/index.server";
import { autoRole, isRegionAllowed } from "~/domain/routing/index.server";
import { apiError } from "~/errors/app-error";
import type { ShownModel } from "../../_public/catalogue-view/shared";
import { shownModels, shownPrice } from "../../_public/catalogue-view/shown-models.server";
import { otherPrices } from "./other-prices";
import type { ModelsQueryValues } from "./query.server";
import { samplesOf } from "./samples";
import { readOwnUsage, readTraffic } from "./traffic.server";

/** Maximum number of keys in the filter. */
const MAX_KEYS = 100;

/** Returns the data of the list of models. */
export async function readModelsPage(db: Db, actor: Actor, query: ModelsQueryValues) {
  const models = shownModels().filter(({ isFault }) => !isFault);
  const [{ keys }, key, traffic, own] = await Promise.all([
    listActorKeys(db, actor, {
      filter: { status: "active" },
      sort: { by: "name", descending: false },
      after: null,
      limit: MAX_KEYS,
    }),
    query.key === undefined ? null : readActorKey(db, actor, query.key),
    readTraffic(db),
    readOwnUsage(db, actor),
  ]);
  const search = query.q?.toLowerCase() ?? "";
  const matches = models.filter(
    (model) =>
      `${model.id} ${model.ownedBy}`.toLowerCase().includes(search) &&
      (query.capability === undefined || model.capability === query.capability) &&
      (query.region === undefined || model.regions.includes(query.region)) &&
      (key === null || isUsable(model, key)),
  );
  return {
    total: models.length,
    regions: [...new Set(models.flatMap(({ regions }) => regions))].toSorted(),
    keys: keys.filter(({ kind }) => kind === "inference").map(({ id, name }) => ({ id, name })),
    key: key === null ? null : { id: key.id, name: key.name },
    models: matches.map((model) => ({
      model,
      traffic: traffic.get(model.id) ?? null,
      spentNanoUsd: own.get(model.id)?.chargedNanoUsd ?? 0n,
    })),
  };
}

export type ModelsView = Awaited<ReturnType<typeof readModelsPage>>;

/** Whether a key may call a model in at least one of its regions. */
const isUsable = (
  model: ShownModel,
  key: { kind: string; allowedModels: readonly string[]; allowedRegions: readonly string[] },
): boolean =>
  key.kind === "inference" &&
  (key.allowedModels.length === 0 || key.allowedModels.includes(model.id)) &&
  model.regions.some((region) => isRegionAllowed(region, key.allowedRegions, null));

/**
 * Returns the data of a model's page.
 * @throws AppError model_not_found
 */
export async function readModelPage(db: Db, actor: Actor, { modelId, baseUrl }: { modelId: string; baseUrl: string }) {
  const model = shownModels().find(({ id }) => id === modelId);
  if (model === undefined) throw apiError("model_not_found");
  const [traffic, own, history] = await Promise.all([
    readTraffic(db, modelId),
    readOwnUsage(db, actor, modelId),
    readPriceHistory(db, modelId),
  ]);
  const priced = (catalogue().routes.get(modelId) ?? []).filter(({ price }) => price !== null);
  return {
    model,
    routes: priced.map(({ supplier, price }) => ({
      supplier: supplier.name,
      region: supplier.region,
      isDraining: supplier.draining,
      keepsNothing: supplier.zeroDataRetention === true,
      price: shownPrice(price!),
      others: otherPrices(price!),
      sampleNanoUsd: model.capability === "chat" ? priceUsage(price!, SAMPLE) : null,
      traffic: traffic.get(supplier.name) ?? null,
    })),
    own: own.get(modelId) ?? null,
    role: autoRole(catalogue().models.get(modelId)!),
    history: history.map(({ price, ...rest }) => ({ ...rest, price: shownPrice(price) })),
    samples: samplesOf(baseUrl, model),
  };
}

export type ModelView = Awaited<ReturnType<typeof readModelPage>>;

/** Usage of the request for comparing a model's routes. */
const SAMPLE = { inputTokens: 1_000, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 500 };
