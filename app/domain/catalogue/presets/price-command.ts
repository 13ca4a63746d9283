import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Provider } from "@pydantic/genai-prices";
import type { Config } from "~/config.server";
import { plainUsd } from "~/values/money";
import { catalogueFileOf } from "../current-catalogue";
import type { FilePrice } from "../file/file-schema";
import { catalogueOfKeys } from "./from-keys";
import { PRESETS } from "./presets";
import { listedModels } from "./price-catalogue";
import { applyPriceFile, applyPriceList, type PriceList, priceListOf, priceSnapshot } from "./price-list";

type Settings = Pick<Config, "catalogueFile" | "providerKeys" | "priceFile">;

/** Prices of the served models by supplier and model; null: no price. */
type Priced = ReadonlyMap<string, FilePrice | null>;

/**
 * Compares the list in use with another list, for the models of this installation: those of its catalogue file or of
 * the keys in its environment; without either, those of all providers. Returns lines to print, and the `list` for
 * `takePrices`.
 * @param from a folder of the package `@pydantic/genai-prices`, or its `data.json`
 * @throws Error if it cannot be read
 */
export async function comparePrices(settings: Settings, from: string): Promise<{ list: PriceList; lines: string[] }> {
  const list = await readOffered(from);
  await applyPriceFile(settings.priceFile);
  const at = new Date();
  const present = priceSnapshot();
  const before = await pricesOf(settings, at);
  await applyPriceList(list);
  const after = await pricesOf(settings, at);
  return { list, lines: [`${nameOf(present)} → ${nameOf(list)}`, ...differences(before, after)] };
}

/** Writes a list to the file that overrides the released list. Atomic. */
export async function takePrices({ priceFile }: Pick<Settings, "priceFile">, list: PriceList): Promise<void> {
  await mkdir(dirname(priceFile), { recursive: true });
  const fresh = `${priceFile}.new`;
  await writeFile(fresh, JSON.stringify(list));
  await rename(fresh, priceFile);
}

/** Returns to the list that is released with this version of gw. Safe to repeat. */
export const dropPrices = ({ priceFile }: Pick<Settings, "priceFile">): Promise<void> => rm(priceFile, { force: true });

const nameOf = ({ version, date }: PriceList | ReturnType<typeof priceSnapshot>) => `${version} of ${date}`;

async function readOffered(from: string): Promise<PriceList> {
  const path = resolve(from);
  const date = new Date().toISOString().slice(0, 10);
  if (!(await stat(path)).isDirectory())
    return priceListOf({ version: "data.json", date, providers: JSON.parse(await readFile(path, "utf8")) });
  const { name, version } = JSON.parse(await readFile(join(path, "package.json"), "utf8"));
  if (name !== "@pydantic/genai-prices") throw new Error(`${from} is ${name}, not @pydantic/genai-prices`);
  const entry = pathToFileURL(join(path, "dist/index.js")).href;
  const offered = (await import(/* @vite-ignore */ entry)) as { waitForUpdate(): Promise<Provider[]> };
  return priceListOf({ version, date, providers: await offered.waitForUpdate() });
}

async function pricesOf({ catalogueFile, providerKeys }: Settings, at: Date): Promise<Priced> {
  const cloud = providerKeys.filter(({ preset }) => PRESETS[preset].prices !== null);
  const file = catalogueFileOf({ catalogueFile }) ?? (await catalogueOfKeys(cloud, at));
  if (file !== null)
    return new Map(
      file.models.flatMap(({ id, routes }) =>
        routes.map(({ supplier, price }) => [`${supplier} ${id}`, price ?? null] as const),
      ),
    );
  return new Map(
    Object.entries(PRESETS).flatMap(([name, preset]) =>
      listedModels(preset, at).map(({ apiName, price }) => [`${name} ${apiName}`, price] as const),
    ),
  );
}

function differences(before: Priced, after: Priced): string[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const changes = names.flatMap((name) => changeOf(name, before.get(name), after.get(name)) ?? []);
  const same = names.length - changes.length;
  return [...changes, `${same === 1 ? "1 price stays" : `${same} prices stay`} as before.`];
}

/** Undefined: the model is not served. */
function changeOf(name: string, before: FilePrice | null | undefined, after: FilePrice | null | undefined) {
  const [old, fresh] = [wordsOf(before), wordsOf(after)];
  if (before === undefined) return `+ ${name}: ${fresh.map(([part, text]) => `${part} ${text}`).join(", ")}`;
  if (after === undefined) return `- ${name}: no longer in the list`;
  const parts = [...new Set([...old, ...fresh].map(([part]) => part))];
  const changed = parts.flatMap((part) => {
    const [was, is] = [new Map(old).get(part), new Map(fresh).get(part)];
    return was === is ? [] : [`${part} ${was ?? "none"} → ${is ?? "none"}`];
  });
  return changed.length === 0 ? null : `~ ${name}: ${changed.join(", ")}`;
}

/**
 * Parts of a price with their amounts in US dollars. A part that depends on the length of a call has one entry for each
 * length.
 */
function wordsOf(price: FilePrice | null | undefined): [part: string, text: string][] {
  if (price == null) return [["price", "none: it is refused"]];
  const { long_context = [], tiers = {}, ...flat } = price;
  const of = (amounts: object, suffix: string) =>
    Object.entries(amounts).flatMap(([part, amount]): [string, string][] =>
      typeof amount === "bigint" ? [[`${part}${suffix}`, `$${plainUsd(amount)}`]] : [],
    );
  return [
    ...of(flat, ""),
    ...long_context.flatMap(({ above_input_tokens, ...amounts }) => of(amounts, ` above ${above_input_tokens}`)),
    ...Object.entries(tiers).flatMap(([tier, amounts]) => of(amounts, ` at ${tier}`)),
  ];
}
