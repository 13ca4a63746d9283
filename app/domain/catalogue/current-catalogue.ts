import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { subscribe } from "~/bus.server";
import { ConfigError } from "~/config/error";
import { type Config, environmentVariable } from "~/config.server";
import { db } from "~/db.server";
import { resealCredentials, restoreRenewed } from "~/domain/credentials/index.server";
import { log } from "~/log.server";
import { applyConfigFile } from "./apply-file";
import type { CatalogueFile } from "./file-schema";
import { loadRefusals } from "./learned";
import { readCatalogue } from "./load-catalogue";
import { catalogueOfKeys } from "./presets/from-keys";
import { applyPriceFile } from "./presets/price-list";
import { readCatalogueFile } from "./read-file";
import { resealExtras } from "./sealed-extras";
import type { Catalogue } from "./shared";
import { msToNextPrice } from "./store";

const RETRY_MS = 1_000;
// A timer of Node cannot wait for more than 24 days, and the clocks of two machines drift: the wait is measured again.
const MAX_WAIT_MS = 3_600_000;

let current: Catalogue = { models: new Map(), routes: new Map() };
let loading: Promise<void> | null = null;
let stale = false;
let nextPriceTimer: NodeJS.Timeout | undefined;

/** The whole catalogue at this moment, from memory. Empty before `startCatalogue`. */
export const catalogue = (): Catalogue => current;

/**
 * Reads the catalogue file of the settings; null where there is none and none was asked for. Needs no database.
 * @throws ConfigError naming file and line when the file is wrong, or the path when it was asked for and is not there.
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
 * The catalogue that the settings ask for: the file's, or without one that of the providers whose keys the environment has;
 * null where there is neither. By the list of prices that the settings name.
 * @throws ConfigError as `catalogueFileOf`, or where that list cannot be read.
 */
export async function catalogueOf(
  settings: Pick<Config, "catalogueFile" | "providerKeys" | "priceFile">,
): Promise<CatalogueFile | null> {
  await applyPriceFile(settings.priceFile);
  return catalogueFileOf(settings) ?? (await catalogueOfKeys(settings.providerKeys, new Date()));
}

/** The providers of the environment's keys that are served, with the number of their models; none where a file says what is. */
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

/** Applies a catalogue file, reads the catalogue, and keeps reading it whenever it changes in any process. */
export async function startCatalogue(file: CatalogueFile | null): Promise<void> {
  await restoreRenewed(db());
  await resealCredentials(db());
  await resealExtras(db());
  const { withoutFile } = await applyConfigFile(db(), file);
  if (withoutFile.length > 0)
    log.warn({ suppliers: withoutFile }, "the catalogue file is gone; its suppliers are put aside");
  await loadCatalogue();
  subscribe("catalogue", () => void keepLoading());
}

/**
 * Reads the catalogue again, and once more by itself when the next scheduled price begins.
 * Calls that come while it is being read share one more reading.
 */
export async function loadCatalogue(): Promise<void> {
  stale = true;
  loading ??= (async () => {
    try {
      while (stale) {
        stale = false;
        // Asked first: a price that begins during the reading is read twice rather than missed.
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
  nextPriceTimer = setTimeout(() => void keepLoading(), Math.min(ms, MAX_WAIT_MS)).unref();
}

// Until the database answers, the catalogue of before is served.
async function keepLoading(): Promise<void> {
  for (;;) {
    try {
      return await loadCatalogue();
    } catch (error) {
      log.warn({ err: error }, "the catalogue could not be read; trying again");
      await sleep(RETRY_MS, undefined, { ref: false });
    }
  }
}
