import { readFile } from "node:fs/promises";
import { ConfigError } from "~/config/error";
import type { ProviderKey } from "~/config/provider-keys";
import { accountText } from "~/domain/credentials/shared";
import { type CatalogueFile, WrittenCatalogue } from "../file/file-schema";
import { expandPresets } from "./expand";
import { listPulled } from "./ollama";

/**
 * Returns a catalogue of the providers with a key, each with all models that have a list price at a time; null if there
 * are no keys. Of several providers of a model, the first is tried first.
 * @throws ConfigError if a key file cannot be read
 */
export async function catalogueOfKeys(keys: readonly ProviderKey[], at: Date): Promise<CatalogueFile | null> {
  if (keys.length === 0) return null;
  const ollama = keys.find(({ preset }) => preset === "ollama");
  const written = WrittenCatalogue.parse({ suppliers: await Promise.all(keys.map(presetOf)) });
  const file = expandPresets(written, at, (_path, message) => {
    throw new Error(message);
  });
  if (ollama?.baseUrl == null) return file;
  return { ...file, models: [...file.models, ...(await listPulled(ollama.baseUrl, file.models))] };
}

async function presetOf({ preset, apiKey, keyFile, baseUrl, region, models }: ProviderKey): Promise<object> {
  const key = keyFile === undefined ? apiKey : await accountIn(keyFile);
  return {
    preset,
    ...(key === null ? {} : { api_key: key }),
    ...(baseUrl === null ? {} : { base_url: baseUrl }),
    ...(region === null ? {} : { region }),
    ...(models === null ? {} : { models }),
  };
}

async function accountIn(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: Error) => {
    throw new ConfigError(`GOOGLE_APPLICATION_CREDENTIALS names a file that cannot be read: ${cause.message}`);
  });
  const account = accountText(text.trim());
  if (account === null)
    throw new ConfigError(`GOOGLE_APPLICATION_CREDENTIALS: ${path} is no JSON key of a service account`);
  return account;
}
