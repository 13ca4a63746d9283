import { catalogue } from "~/domain/catalogue/index.server";
import { qualityOf } from "./autorouter";
import type { ModelMerits } from "./shared";
import { health, monotonicNow } from "./state";

/** Returns the autorouter's current data of each model that it may choose, in this process, ordered by name. */
export function readModelMerits(): ModelMerits[] {
  const { models, routes } = catalogue();
  const now = monotonicNow();
  const merits = [...models.values()].flatMap((model) => {
    const priced = (routes.get(model.id) ?? []).flatMap((route) =>
      route.price === null ? [] : [{ ...route, price: route.price }],
    );
    const [best] = priced.toSorted((a, b) => a.priority - b.priority);
    if (best === undefined || model.capability !== "chat" || model.auto === false) return [];
    const listPriceNanoUsd = best.price.inputPerMtok + best.price.outputPerMtok;
    return [{ model, best, listPriceNanoUsd }];
  });
  const dearest = Math.max(0, ...merits.map(({ listPriceNanoUsd }) => Number(listPriceNanoUsd)));
  return merits
    .map(({ model, best, listPriceNanoUsd }) => ({
      model: model.id,
      inputPerMtok: best.price.inputPerMtok,
      outputPerMtok: best.price.outputPerMtok,
      firstByteMs: health.firstByteMs(best, now),
      quality: Math.round(qualityOf({ model, listPriceNanoUsd }, dearest) * 100),
      isQualityStated: model.quality !== undefined,
      health: health.score(best, now, null),
    }))
    .toSorted((a, b) => a.model.localeCompare(b.model));
}
