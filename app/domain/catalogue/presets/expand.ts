import { MODEL_SEGMENT } from "../file/file-extras";
import {
  type CatalogueFile,
  type FileModel,
  type FileSupplier,
  nameOf,
  type WrittenCatalogue,
  type WrittenModel,
} from "../file/file-schema";
import { PRESETS } from "./presets";
import { type ListedModel, listedModel, listedModels } from "./price-catalogue";

type WrittenSupplier = WrittenCatalogue["suppliers"][number];
type PresetSupplier = Extract<WrittenSupplier, { models: unknown }>;
type WrittenRoute = WrittenModel["routes"][number];

/** Reports a mistake in a file at a path. */
type Fail = (path: PropertyKey[], message: string) => never;

/**
 * Expands a written catalogue: presets become suppliers with their models at the list prices of a time, ids with a `*`
 * become every matching model, aliases become models. Values in the file take precedence.
 */
export function expandPresets(written: WrittenCatalogue, at: Date, fail: Fail): CatalogueFile {
  const presets = new Map(written.suppliers.flatMap((each) => (isPreset(each) ? [[nameOf(each), each] as const] : [])));
  const models = new Map<string, FileModel>();
  for (const model of written.models.filter(({ id }) => !id.includes("*")))
    models.set(model.id, completed(model, presets, at));
  const own = new Set(models.keys());
  const offered = [
    ...written.models.filter(({ id }) => id.includes("*")).flatMap((model) => fitting(model, presets, at)),
    ...[...presets.values()].flatMap((preset, order) => modelsOf(preset, order + 1, at)),
  ];
  for (const model of offered.filter(({ id }) => !own.has(id))) {
    const present = models.get(model.id);
    models.set(model.id, present === undefined ? model : { ...present, routes: joined(present.routes, model.routes) });
  }
  for (const [alias, target] of Object.entries(written.aliases)) {
    const model = models.get(target);
    if (model === undefined) return fail(["aliases", alias], `names ${JSON.stringify(target)}, which is no model`);
    if (models.has(alias)) return fail(["aliases", alias], "is the id of a model");
    const routes = model.routes.map((route) => ({ ...route, upstream_model: route.upstream_model ?? target }));
    models.set(alias, { ...model, id: alias, routes, auto: false });
  }
  return { suppliers: written.suppliers.map(supplierOf), models: [...models.values()] };
}

const isPreset = (supplier: WrittenSupplier): supplier is PresetSupplier => supplier.preset !== undefined;

function supplierOf(written: WrittenSupplier): FileSupplier {
  if (!isPreset(written)) {
    const { preset: _none, ...supplier } = written;
    return supplier;
  }
  const { preset, api_key, models: _models, ...supplier } = written;
  const { kind, baseUrl, responses, outputField, batch } = PRESETS[preset];
  const credentials = api_key === undefined ? supplier.credentials : [{ name: "main", apiKey: api_key }];
  return {
    ...supplier,
    name: nameOf(written),
    kind,
    base_url: supplier.base_url ?? baseUrl ?? undefined,
    // Another address may be a proxy with fewer features than the provider.
    responses: supplier.responses ?? (supplier.base_url === undefined ? responses : undefined),
    output_field: supplier.output_field ?? outputField,
    batch: supplier.batch ?? (supplier.base_url === undefined ? batch : undefined),
    // The API with the deployment in its path accepts a key only in this header, and a token as usual.
    key_header:
      supplier.key_header ?? (preset === "azure" && supplier.base_url?.includes(MODEL_SEGMENT) ? "api-key" : undefined),
    credentials,
  };
}

/** Completes a model of the file with values of the price catalogue. */
function completed(model: WrittenModel, presets: ReadonlyMap<string, PresetSupplier>, at: Date): FileModel {
  const listed = model.routes.map((route) => {
    const preset = presets.get(route.supplier);
    return preset === undefined ? null : listedModel(PRESETS[preset.preset], route.upstream_model ?? model.id, at);
  });
  const known = listed.find((each) => each !== null);
  return {
    ...model,
    capability: model.capability ?? known?.capability ?? "chat",
    context_tokens: model.context_tokens ?? known?.contextTokens,
    max_output_tokens: model.max_output_tokens ?? known?.maxOutputTokens,
    lifecycle: model.lifecycle ?? known?.lifecycle,
    routes: model.routes.map((route, index) => ({ ...route, price: route.price ?? listed[index]?.price })),
  };
}

/** Expands an id with a `*` to every matching model of its routes' suppliers. */
function fitting(model: WrittenModel, presets: ReadonlyMap<string, PresetSupplier>, at: Date): FileModel[] {
  return model.routes.flatMap((route) => {
    const pattern = patternOf(route.upstream_model ?? "*");
    const { preset } = presets.get(route.supplier)!;
    return listedModels(PRESETS[preset], at).flatMap((listed) => {
      const star = pattern.exec(listed.apiName)?.[1];
      if (star === undefined) return [];
      const id = model.id.replace("*", () => star);
      const { supplier, priority, weight, price = listed.price, output_field, profile } = route;
      return [
        {
          ...modelOf(id, listed, ownerOf(preset, id)),
          ...said(model),
          routes: [{ supplier, upstream_model: listed.apiName, priority, weight, price, output_field, profile }],
        },
      ];
    });
  });
}

/** Fields of the file that apply to every model of an id with a `*`. */
const said = ({
  id: _id,
  routes: _routes,
  owned_by: _owner,
  capability,
  ...rest
}: WrittenModel): Partial<FileModel> => ({
  ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  ...(capability === undefined ? {} : { capability }),
});

/**
 * Returns the models of a preset by their API names. Of several suppliers of a model, the first in the file is tried
 * first.
 */
function modelsOf(supplier: PresetSupplier, priority: number, at: Date): FileModel[] {
  return offeredBy(supplier, at).map((listed) => ({
    ...modelOf(listed.apiName, listed, ownerOf(supplier.preset, listed.apiName)),
    routes: [{ supplier: nameOf(supplier), upstream_model: listed.apiName, priority, weight: 1, price: listed.price }],
  }));
}

/** A listed name that the price catalogue does not know becomes a model without a price, which is never used. */
function offeredBy(
  { preset, models }: PresetSupplier,
  at: Date,
): (Omit<ListedModel, "price"> & { price?: ListedModel["price"] })[] {
  const known = listedModels(PRESETS[preset], at);
  if (models === "all") return known;
  return models.flatMap((name) => {
    if (name.includes("*")) return known.filter(({ apiName }) => patternOf(name).test(apiName));
    const listed = listedModel(PRESETS[preset], name, at);
    return [
      listed ?? {
        apiName: name,
        capability: "chat" as const,
        contextTokens: UNKNOWN_TOKENS,
        maxOutputTokens: UNKNOWN_TOKENS,
      },
    ];
  });
}

const UNKNOWN_TOKENS = 131_072;

function modelOf(id: string, listed: Omit<ListedModel, "price">, ownedBy: string): Omit<FileModel, "routes"> {
  const { capability, contextTokens, maxOutputTokens, lifecycle } = listed;
  const limits = { context_tokens: contextTokens, max_output_tokens: maxOutputTokens };
  return { id, owned_by: ownedBy, capability, ...limits, ...(lifecycle === undefined ? {} : { lifecycle }) };
}

const ownerOf = (preset: PresetSupplier["preset"], id: string): string =>
  PRESETS[preset].ownedBy ?? (id.includes("/") ? id.slice(0, id.indexOf("/")) : preset);

/** Merges the routes of one model; a supplier that is already there keeps its route. */
const joined = (first: readonly WrittenRoute[], more: readonly WrittenRoute[]): WrittenRoute[] => [
  ...first,
  ...more.filter(({ supplier }) => first.every((route) => route.supplier !== supplier)),
];

const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split("*")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("(.*)")}$`,
  );
