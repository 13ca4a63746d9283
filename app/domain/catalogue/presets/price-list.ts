import { readFileSync, statSync } from "node:fs";
import { type Provider, updatePrices, waitForUpdate } from "@pydantic/genai-prices";
import { z } from "zod";
import { ConfigError } from "~/config/error";
import { log } from "~/log.server";

/** Which list of prices is in use: the version and the day of the package that it comes from. */
export type PriceSnapshot = Readonly<{ version: string; date: string }>;

/** The list that this version of gw comes with: the package's version, and the day it was published. */
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
/** What is read of genai-prices' own data; the package looks at constraints and units itself. */
const Providers = z.array(z.looseObject({ id: z.string().min(1), models: z.array(Listed) })).min(1);

/** A list that an operator has taken over in place of the released one, as it is kept in a file. */
const PriceList = z.strictObject({ version: z.string().min(1), date: z.iso.date(), providers: Providers });
export type PriceList = PriceSnapshot & { providers: Provider[] };

/** What the package has before anybody changes it. */
const released = waitForUpdate();

let inUse: PriceSnapshot = RELEASED_PRICES;
let stampInUse: string | null = null;

/** The list in use; another object for each. */
export const priceSnapshot = (): PriceSnapshot => inUse;

/**
 * Uses the list of a file from now on; without the file, or where this version of gw comes with a newer one, the released
 * list. Cheap where the file has not changed.
 * @throws ConfigError where the file is no list of prices: the list of before stays in use.
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
 * Uses a list from now on; null: the released one.
 * @throws Error where the package cannot calculate with it: the list of before stays in use.
 */
export async function applyPriceList(list: PriceList | null): Promise<void> {
  const providers = list === null ? await released : list.providers;
  updatePrices(({ setProviderData }) => setProviderData(providers));
  inUse = list === null ? RELEASED_PRICES : { version: list.version, date: list.date };
}

/** @throws ConfigError in one line. */
function readPriceFile(path: string): PriceList {
  try {
    return priceListOf(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw unusable(path, error);
  }
}

const unusable = (path: string, error: unknown): ConfigError =>
  new ConfigError(`GW_PRICES: ${path} is no list of prices: ${(error as Error).message}`);

/**
 * Looks at a list as it came from somewhere.
 * @throws Error naming the first thing that is wrong.
 */
export function priceListOf(value: unknown): PriceList {
  const read = PriceList.safeParse(value);
  if (read.success) return read.data as unknown as PriceList;
  const { path, message } = read.error.issues[0]!;
  throw new Error(`${path.join(".") || "the whole"}: ${message}`);
}

function stampOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${path} ${found.mtimeMs} ${found.size} ${found.ino}`;
}
