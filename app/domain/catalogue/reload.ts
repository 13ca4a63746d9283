import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { type Config, ConfigError } from "~/config.server";
import { db } from "~/connection/db.server";
import { log } from "~/observe/log.server";
import { catalogueOf, loadCatalogue } from "./current-catalogue";
import { applyConfigFile } from "./file/apply-file";
import type { CatalogueFile } from "./file/file-schema";

type Settings = Pick<Config, "catalogueFile" | "providerKeys" | "priceFile">;

const LOOK_EVERY_MS = 2_000;
/** Interval in milliseconds for list prices that depend on the time of day; tariffs change at whole minutes. */
const PRICES_EVERY_MS = 60_000;

let applied: string | null = null;
let fromFile = false;
let reloading: Promise<unknown> = Promise.resolve();

/**
 * Reads the catalogue file, or the list prices of the providers, and applies changes: all, or none if there is a
 * mistake. Does nothing without a file and keys. Concurrent calls run one after the other.
 * @returns the number of changed rows
 * @throws ConfigError with file and line of the first mistake
 */
export function reloadCatalogue(settings: Settings): Promise<number> {
  const turn = reloading.then(() => reload(settings));
  reloading = turn.catch(() => undefined);
  return turn;
}

async function reload(settings: Settings): Promise<number> {
  const hasFile = stampOf(settings) !== null;
  // Editors may delete a file before they write it again. Only a start without the file deactivates its suppliers.
  if (fromFile && !hasFile) return 0;
  const file = await catalogueOf(settings);
  const fingerprint = fingerprintOf(file);
  if (file === null || fingerprint === applied) return 0;
  const { changes } = await applyConfigFile(db(), file);
  applied = fingerprint;
  fromFile = hasFile;
  if (changes > 0) await loadCatalogue();
  return changes;
}

/**
 * Watches the catalogue file, SIGHUP and time-dependent list prices, and applies changes within seconds. A mistake is
 * logged, and the previous catalogue stays in use. Returns a function that stops the watch and resolves when no change
 * is being applied.
 */
export function watchCatalogue(settings: Settings, started: CatalogueFile | null): () => Promise<unknown> {
  applied = fingerprintOf(started);
  const again = (reason: string) => {
    reloadCatalogue(settings).then(
      (changes) => changes > 0 && log.info({ changes, reason }, "the catalogue has been read again"),
      (error) => log.error({ ...reasonOf(error), reason }, "the catalogue could not be read again; it stays as it was"),
    );
  };
  let lastStamp = stampOf(settings);
  fromFile = lastStamp !== null;
  const onHangUp = () => again("SIGHUP");
  process.on("SIGHUP", onHangUp);
  const timer = setInterval(() => {
    const stamp = stampOf(settings);
    if (stamp === null || stamp === lastStamp) return;
    lastStamp = stamp;
    again("changed file");
  }, LOOK_EVERY_MS).unref();
  const prices = setInterval(() => again("list prices"), PRICES_EVERY_MS).unref();
  return () => {
    process.off("SIGHUP", onHangUp);
    clearInterval(timer);
    clearInterval(prices);
    return reloading;
  };
}

function stampOf({ catalogueFile: { path } }: Settings): string | null {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return null;
  }
}

const reasonOf = (error: unknown) => (error instanceof ConfigError ? { mistake: error.message } : { err: error });

/** The content includes keys, so only its digest is stored. */
function fingerprintOf(file: CatalogueFile | null): string {
  const text = JSON.stringify(file, (_key, value) => (typeof value === "bigint" ? String(value) : value));
  return createHash("sha256").update(text).digest("base64");
}
