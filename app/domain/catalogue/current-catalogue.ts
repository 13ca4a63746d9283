import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigError } from "~/config/error";
import { type Config, environmentVariable } from "~/config.server";
import { subscribe } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { resealCredentials, restoreRenewed } from "~/domain/credentials/index.server";
import { log } from "~/observe/log.server";
import { applyConfigFile } from "./file/apply-file";
import type { CatalogueFile } from "./file/file-schema";
import { readCatalogueFile } from "./file/read-file";
import { loadRefusals } from "./learned";
import { readCatalogue } from "./load-catalogue";
import { catalogueOfKeys } from "./presets/from-keys";
import { applyPriceFile } from "./presets/price-list";
import { resealExtras } from "./sealed-extras";
import type { Catalogue } from "./shared";
import { msToNextPrice } from "./store";

const RETRY_MS = 1_000;
// Maximum wait in milliseconds before the time to the next price is measured again: Node timers are limited to 24 days,
// and clocks of different machines drift.
const MAX_WAIT_MS = 3_600_000;

let current: Catalogue = { models: new Map(), routes: new Map() };
let loading: Promise<void> | null = null;
let stale = false;
let nextPriceTimer: NodeJS.Timeout | undefined;

/** Returns the current catalogue from memory. Empty before `startCatalogue`. */
export const catalogue = (): Catalogue => current;

/**
 * Reads the catalogue file of the settings; null if there is no file and none is required. Needs no database.
 * @throws ConfigError with file and line of a mistake, or with the path of a required file that is missing
 */
export function catalogueFileOf({
  catalogueFile: { path, required },
}: Pick<Config, "catalogueFile">): CatalogueFile | null {
  const name = relative(process.cwd(), path).startsWith("..") ? path : relative(process.cwd(), path);
  if (!existsSync(path)) {
    if (required) throw new ConfigError(`GW_CONFIG names ${name}, and there is no such file`);
    return null;
  }
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigError(`${name} cannot be read: ${(error as Error).message}`);
  }
  return readCatalogueFile({ name, text, variable: environmentVariable });
}

/**
 * Returns the catalogue of the settings: that of the file, else that of the providers whose keys are in the
 * environment; null if there is neither. Uses the price list of the settings.
 * @throws ConfigError as `catalogueFileOf`, or if the price list cannot be read
 */
export async function catalogueOf(
  settings: Pick<Config, "catalogueFile" | "providerKeys" | "priceFile">,
): Promise<CatalogueFile | null> {
  await applyPriceFile(settings.priceFile);
  return catalogueFileOf(settings) ?? (await catalogueOfKeys(settings.providerKeys, new Date()));
}

/**
 * Returns the providers served by keys of the environment, with the number of their models; none if there is a
 * catalogue file.
 */
export function servedProviders({
  catalogueFile: { path },
  providerKeys,
}: Pick<Config, "catalogueFile" | "providerKeys">): { name: string; models: number }[] {
  if (existsSync(path)) return [];
  const suppliers = [...current.routes.values()].map((routes) => new Set(routes.map(({ supplier }) => supplier.name)));
  return providerKeys.map(({ preset }) => ({
    name: preset,
    models: suppliers.filter((names) => names.has(preset)).length,
  }));
}

/** Applies a catalogue file, reads the catalogue, and reads it again after a change in any process. */
export async function startCatalogue(file: CatalogueFile | null): Promise<void> {
  await restoreRenewed(db());
  await resealCredentials(db());
  await resealExtras(db());
  const { withoutFile } = await applyConfigFile(db(), file);
  if (withoutFile.length > 0)
    log.warn({ suppliers: withoutFile }, "the catalogue file is gone; its suppliers are put aside");
  await loadCatalogue();
  subscribe("catalogue", () => void retryLoading());
}

/**
 * Reads the catalogue, and schedules another read for the start of the next price.
 * Concurrent callers share one additional read.
 */
export async function loadCatalogue(): Promise<void> {
  stale = true;
  loading ??= (async () => {
    try {
      while (stale) {
        stale = false;
        // Read the time first: a price that starts during the read is read twice instead of missed.
        const nextPriceMs = await msToNextPrice(db());
        current = await readCatalogue(db());
        await loadRefusals(db());
        loadAgainIn(nextPriceMs);
      }
    } finally {
      loading = null;
    }
  })();
  await loading;
}

function loadAgainIn(ms: number | null): void {
  clearTimeout(nextPriceTimer);
  if (ms === null) return;
  nextPriceTimer = setTimeout(() => void retryLoading(), Math.min(ms, MAX_WAIT_MS)).unref();
}

// Until the database answers, the previous catalogue is served.
async function retryLoading(): Promise<void> {
  for (;;) {
    try {
      return await loadCatalogue();
    } catch (error) {
      log.warn({ err: error }, "the catalogue could not be read; trying again");
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
}
