import { inTransaction, publish } from "~/connection/bus.server";
import type { Db } from "~/connection/db.server";
import { syncCredentials } from "~/domain/credentials/index.server";
import type { GivenCredentials } from "~/domain/credentials/shared";
import { sandboxCatalogue } from "../sandbox-catalogue";
import { sealExtras } from "../sealed-extras";
import {
  listSupplierNames,
  lockCatalogue,
  type RouteRow,
  retireMissing,
  saveModels,
  saveRoutes,
  saveSuppliers,
} from "../store";
import { extrasOf } from "./file-extras";
import type { CatalogueFile } from "./file-schema";

/** Number of changed rows, and suppliers of an earlier file that became inactive because there is no file. */
export type Applied = { changes: number; withoutFile: readonly string[] };

/**
 * Makes the database match the catalogue file: adds and changes rows, and deactivates those that only an earlier file
 * had. A price gets a new row only if it differs. Safe to repeat; processes that start together take turns. Without a
 * file (null), an installation that never had one gets the sandbox, in addition to suppliers of the portal. Credentials
 * are stored sealed.
 */
export function applyConfigFile(db: Db, file: CatalogueFile | null): Promise<Applied> {
  return inTransaction(db, async (tx) => {
    await lockCatalogue(tx);
    const present = await listSupplierNames(tx);
    // The portal adds and deletes suppliers at run time, so they do not decide about the sandbox.
    const ofFiles = present.filter(({ name, source }) => source === "config" && name !== "sandbox");
    const target = file ?? (ofFiles.length === 0 ? sandboxCatalogue : { suppliers: [], models: [] });
    const changes = await write(tx, target, new Map(present.map(({ name, sealedExtras }) => [name, sealedExtras])));
    if (changes > 0) await publish(tx, "catalogue");
    const orphans = ofFiles.filter(({ status }) => status !== "inactive");
    return { changes, withoutFile: file === null ? orphans.map((supplier) => supplier.name) : [] };
  });
}

async function write(tx: Db, file: CatalogueFile, extras: ReadonlyMap<string, string | null>): Promise<number> {
  const suppliers = file.suppliers.map((supplier) => ({
    name: supplier.name,
    kind: supplier.kind,
    baseUrl: supplier.base_url ?? "",
    region: supplier.region,
    timeoutMs: supplier.timeout_ms,
    idleTimeoutMs: supplier.idle_timeout_ms,
    cooldown: supplier.cooldown,
    streamUsage: supplier.stream_usage,
    speaksResponses: supplier.responses ?? false,
    outputField: supplier.output_field ?? null,
    batchProtocol: supplier.batch ? supplier.batch.protocol : null,
    batchPrice: supplier.batch ? supplier.batch.priceMillionths : null,
    zeroDataRetention: supplier.zero_data_retention ?? null,
    sealedExtras: sealExtras(supplier.name, extrasOf(supplier), extras.get(supplier.name) ?? null),
  }));
  const models = file.models.map((model) => ({
    id: model.id,
    ownedBy: model.owned_by,
    capability: model.capability,
    contextTokens: model.context_tokens ?? 0,
    maxOutputTokens: model.max_output_tokens ?? 0,
    tools: model.tools ?? null,
    images: model.images ?? null,
    quality: model.quality ?? null,
    auto: model.auto ?? true,
    lifecycle: model.lifecycle ?? null,
    retiresAt: model.retires_at ?? null,
  }));
  const routes = file.models.flatMap((model) =>
    model.routes.map(
      (route): RouteRow => ({
        modelId: model.id,
        supplier: route.supplier,
        upstreamModel: route.upstream_model ?? model.id,
        priority: route.priority,
        weight: route.weight,
        price: route.price ?? null,
        outputField: route.output_field ?? null,
        profile: route.profile ?? model.profile ?? null,
      }),
    ),
  );
  const saved = (await saveSuppliers(tx, suppliers)) + (await saveModels(tx, models)) + (await saveRoutes(tx, routes));
  const sealed = await syncCredentials(tx, await credentialsOf(tx, file));
  const retained = { suppliers: suppliers.map(({ name }) => name), models: models.map(({ id }) => id), routes };
  return saved + sealed + (await retireMissing(tx, retained));
}

async function credentialsOf(tx: Db, { suppliers }: CatalogueFile): Promise<GivenCredentials[]> {
  const ids = new Map((await listSupplierNames(tx)).map(({ id, name }) => [name, id]));
  return suppliers.map(({ name, credentials }) => ({ supplierId: ids.get(name)!, supplier: name, credentials }));
}
