import type { Db } from "~/connection/db.server";
import type { Capability } from "./shared";

/** Returns the given upstream names that the supplier already serves at a price. */
export async function listServed(db: Db, supplierId: number, upstreamModels: readonly string[]): Promise<string[]> {
  const rows = await db.modelRoute.findMany({
    where: { supplierId, active: true, upstreamModel: { in: [...upstreamModels] }, prices: { some: {} } },
    distinct: ["upstreamModel"],
    select: { upstreamModel: true },
  });
  return rows.map(({ upstreamModel }) => upstreamModel);
}

export type ImportedModel = { id: string; capability: Capability; contextTokens: number; maxOutputTokens: number };

/** Adds models that platform admins manage, and reactivates inactive ones. Leaves the others unchanged. */
export async function addModels(db: Db, ownedBy: string, models: readonly ImportedModel[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO model AS m (id, owned_by, capability, context_tokens, max_output_tokens, source, active)
    SELECT id, ${ownedBy}, capability, "contextTokens", "maxOutputTokens", 'portal', true
    FROM jsonb_to_recordset(${JSON.stringify(models)}::jsonb)
      AS f(id text, capability text, "contextTokens" int, "maxOutputTokens" int)
    ON CONFLICT (id) DO UPDATE SET
      owned_by = excluded.owned_by, capability = excluded.capability, context_tokens = excluded.context_tokens,
      max_output_tokens = excluded.max_output_tokens, source = 'portal', active = true
    WHERE NOT m.active`;
}

/** Adds routes to a supplier for models under their own names. */
export async function addRoutes(db: Db, supplierId: number, models: readonly string[]): Promise<void> {
  await db.$executeRaw`
    INSERT INTO model_route AS r (model_id, supplier_id, upstream_model)
    SELECT id, ${supplierId}, id FROM unnest(${models}::text[]) AS f(id)
    ON CONFLICT (model_id, supplier_id, upstream_model) DO UPDATE SET active = true
    WHERE NOT r.active`;
}
