import { z } from "zod";
import { config } from "~/config.server";
import type { Db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import { catalogue } from "~/domain/catalogue/index.server";
import { listActorKeys } from "~/domain/keys/index.server";
import { recentRejections } from "~/domain/request-log/index.server";
import { isRegionAllowed } from "~/domain/routing/index.server";
import { sampleModels } from "../keys/sample-models.server";
import { samplesFor } from "../keys/samples";

/** The key for the examples; empty or missing: the newest. */
export const GuideQuery = z.object({
  key: z.preprocess(
    (value) => (value === "" ? undefined : value),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number)
      .optional(),
  ),
});

const KEYS = 50;
const REFUSALS = 20;

/** Returns the guide for one person: their keys, and the models and regions of the chosen one. */
export async function readGuide(db: Db, actor: Actor, { key: keyId }: z.output<typeof GuideQuery>) {
  const { keys } = await listActorKeys(
    db,
    { ...actor, adminMode: false },
    { filter: { status: "active" }, sort: { by: "created", descending: true }, after: null, limit: KEYS },
  );
  const usable = keys.filter(({ kind }) => kind === "inference");
  const key = usable.find(({ id }) => id === keyId) ?? usable[0] ?? null;
  const policy = key ?? { allowedModels: [], allowedRegions: [] };
  const { baseUrl } = config();
  const samples = sampleModels(policy);
  return {
    baseUrl,
    keys: usable.map(({ id, name }) => ({ id, name })),
    key: key === null ? null : { id: key.id, name: key.name, hint: `${key.secretPrefix}…${key.secretLast4}` },
    allowedRegions: policy.allowedRegions,
    regions: [...new Set([...catalogue().routes.values()].flat().map(({ supplier }) => supplier.region))].toSorted(),
    samples: samplesFor(baseUrl, samples),
    model: samples.chat ?? "your-model",
    models: modelsFor(policy),
    refusals: key === null ? [] : await recentRejections(db, key.id, REFUSALS),
  };
}

export type GuideView = Awaited<ReturnType<typeof readGuide>>;

function modelsFor({
  allowedModels,
  allowedRegions,
}: {
  allowedModels: readonly string[];
  allowedRegions: readonly string[];
}) {
  const { models, routes } = catalogue();
  return [...models.values()]
    .filter(({ id }) => allowedModels.length === 0 || allowedModels.includes(id))
    .map((model) => {
      const open = (routes.get(model.id) ?? []).filter(({ supplier }) =>
        isRegionAllowed(supplier.region, allowedRegions, null),
      );
      const price = open.find((route) => route.price !== null)?.price ?? null;
      return {
        id: model.id,
        capability: model.capability,
        contextTokens: model.contextTokens,
        regions: [...new Set(open.map(({ supplier }) => supplier.region))].toSorted(),
        input: price?.inputPerMtok ?? null,
        output: price?.outputPerMtok ?? null,
      };
    })
    .filter(({ regions }) => regions.length > 0)
    .toSorted((a, b) => a.capability.localeCompare(b.capability) || a.id.localeCompare(b.id));
}
