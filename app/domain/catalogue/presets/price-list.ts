import { readFileSync, statSync } from "node:fs";
import { type Provider, updatePrices, waitForUpdate } from "@pydantic/genai-prices";
import { z } from "zod";
import { ConfigError } from "~/config/error";
import { log } from "~/observe/log.server";

/** The price list in use: version and date of its package. */
export type PriceSnapshot = Readonly<{ version: string; date: string }>;

/** The list that is released with this version of gw: version and publication date of its package. */
export const RELEASED_PRICES: PriceSnapshot = { version: "0.1.8", date: "2026-09-23" };

const amount = z.number().nonnegative();
const Prices = z.record(
  z.string(),
  z.union([
    amount,
    z.looseObject({ base: amount, tiers: z.array(z.looseObject({ start: amount, price: amount })).min(1) }),
  ]),
);
const Listed = z.looseObject({
  id: z.string().min(1),
  match: z.record(z.string(), z.unknown()),
  context_window: z.int().positive().optional(),
  prices: z.union([Prices, z.array(z.looseObject({ prices: Prices })).min(1)]),
});
/** The fields that gw reads of genai-prices' data; the package checks constraints and units itself. */
const Providers = z.array(z.looseObject({ id: z.string().min(1), models: z.array(Listed) })).min(1);

/** A list that an operator has installed in place of the released one, in the format of its file. */
const PriceList = z.strictObject({ version: z.string().min(1), date: z.iso.date(), providers: Providers });
export type PriceList = PriceSnapshot & { providers: Provider[] };

/** The data of the package before any update. */
const released = waitForUpdate();

let inUse: PriceSnapshot = RELEASED_PRICES;
let stampInUse: string | null = null;

/** Returns the list in use; a different list is a different object. */
export const priceSnapshot = (): PriceSnapshot => inUse;

/**
 * Uses the list of a file; the released list if there is no file, or if this version of gw has a newer one. Cheap while
 * the file is unchanged.
 * @throws ConfigError if the file is no price list: the previous list stays in use
 */
export async function applyPriceFile(path: string): Promise<void> {
  const stamp = stampOf(path);
  if (stamp === stampInUse) return;
  const list = stamp === null ? null : readPriceFile(path);
  const isOlder = list !== null && list.date < RELEASED_PRICES.date;
  if (isOlder) log.info({ path, date: list.date, released: RELEASED_PRICES.date }, "gw comes with a newer price list");
  await applyPriceList(isOlder ? null : list).catch((error) => {
    throw unusable(path, error);
  });
  stampInUse = stamp;
}

/**
 * Uses a list; null: the released one.
 * @throws Error if the package cannot calculate with it: the previous list stays in use
 */
export async function applyPriceList(list: PriceList | null): Promise<void> {
  const providers = list === null ? await released : list.providers;
  updatePrices(({ setProviderData }) => setProviderData(providers));
  inUse = list === null ? RELEASED_PRICES : { version: list.version, date: list.date };
}

/** @throws ConfigError in one line */
function readPriceFile(path: string): PriceList {
  try {
    return priceListOf(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw unusable(path, error);
  }
}

const unusable = (path: string, error: unknown): ConfigError =>
  new ConfigError(`GW_PRICES: ${path} is no list of prices: ${(error as Error).message}`);

/** Validates a list from an external source. @throws Error with the first mistake */
export function priceListOf(value: unknown): PriceList {
  const read = PriceList.safeParse(value);
  if (read.success) return read.data as unknown as PriceList;
  const { path, message } = read.error.issues[0]!;
  throw new Error(`${path.join(".") || "the whole"}: ${message}`);
}

function stampOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${path} ${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
