import type { ProviderKey } from "~/config/provider-keys";
import { type CatalogueFile, WrittenCatalogue } from "../file-schema";
import { expandPresets } from "./expand";
import { listPulled } from "./ollama";

/**
 * The catalogue of the providers whose keys there are, each with all models that gw has a price for, at the list prices of
 * a moment; null without any. Of several providers of a model the first is tried first.
 */
export async function catalogueOfKeys(keys: readonly ProviderKey[], at: Date): Promise<CatalogueFile | null> {
  if (keys.length === 0) return null;
  const ollama = keys.find(({ preset }) => preset === "ollama");
  const written = WrittenCatalogue.parse({ suppliers: keys.map(presetOf) });
  const file = expandPresets(written, at, (_path, message) => {
    throw new Error(message);
  });
  if (ollama?.baseUrl == null) return file;
  return { ...file, models: [...file.models, ...(await listPulled(ollama.baseUrl, file.models))] };
}

function presetOf({ preset, apiKey, baseUrl, region, models }: ProviderKey): object {
  return {
    preset,
    ...(apiKey === null ? {} : { api_key: apiKey }),
    ...(baseUrl === null ? {} : { base_url: baseUrl }),
    ...(region === null ? {} : { region }),
    ...(models === null ? {} : { models }),
  };
}
