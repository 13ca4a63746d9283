import { PRESETS } from "../presets/presets";
import type { Route, Supplier } from "../shared";
import { CLAUDE } from "./claude";
import { GEMINI } from "./gemini";
import { GENERAL } from "./general";
import { DEEPSEEK, GLM, KIMI, QWEN } from "./open-weights";
import { OPENAI } from "./openai";
import { COMMAND, GROK, MISTRAL, NOVA, SINGLE } from "./others";
import {
  type ModelProfile,
  type ProfileEntry,
  type ProfileRules,
  SUPPLIER_FAMILIES,
  type SupplierFamily,
  type TuningField,
} from "./profile";
import { HOSTS, SUPPLIERS } from "./suppliers";

export { GENERAL } from "./general";
export {
  EFFORT_LEVELS,
  type EffortLevel,
  type ModelProfile,
  type SchemaRules,
  type ThinkingForm,
  TUNING_FIELDS,
  type TuningField,
} from "./profile";

/** Model families, in the order in which a name is matched; of a family, the last matching entry counts. */
export const FAMILIES: readonly (readonly ProfileEntry[])[] = [
  OPENAI,
  CLAUDE,
  GEMINI,
  MISTRAL,
  DEEPSEEK,
  QWEN,
  KIMI,
  GLM,
  GROK,
  NOVA,
  COMMAND,
  SINGLE,
];

/** The parts of a route that determine its profile. */
export type ProfiledRoute = Pick<Route, "upstreamModel" | "profile"> & {
  supplier: Pick<Supplier, "name" | "baseUrl" | "kind">;
};

/**
 * Returns the profile of a route: of its model at its supplier. The model is determined by the profile in the
 * catalogue, else by the model name in answers of the deployment, else by the upstream name. An unknown model has the
 * general profile with the rules of its supplier. Cached for each route.
 */
export function profileOf(route: ProfiledRoute): ModelProfile {
  const before = profileCache.get(route);
  if (before !== undefined) return before;
  const entry =
    (route.profile === undefined ? undefined : entryNamed(route.profile)) ??
    entryFor(route.upstreamModel) ??
    entryFor(answeredBy(route) ?? "");
  const profile = resolved(entry ?? null, familyOf(route.supplier));
  profileCache.set(route, profile);
  return profile;
}

let profileCache = new WeakMap<ProfiledRoute, ModelProfile>();

/** Lists the valid values of `profile:`. */
export const profileNames = (): string[] => FAMILIES.flat().map(({ name }) => name);

/** Returns the three profile names nearest to an invalid one. */
export const nearestProfiles = (name: string): string[] =>
  profileNames()
    .map((known) => ({ known, steps: stepsBetween(known, name.toLowerCase()) }))
    .toSorted((one, other) => one.steps - other.steps)
    .slice(0, 3)
    .map(({ known }) => known);

/** Returns the profile nearest to a model's name that omits all of these fields; null: none. */
export function suggestProfile(model: string, fields: readonly string[]): string | null {
  const omitsAll = (profile: ModelProfile) =>
    fields.every((field) =>
      field === "reasoning_effort"
        ? profile.thinking.form === "none"
        : profile.fields[field as TuningField] === "refused" ||
          profile.fields[field as TuningField] === "withoutThinking",
    );
  const fitting = FAMILIES.flat().filter((entry) => omitsAll(resolved(entry, null)));
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  const stepsTo = (entry: ProfileEntry) => stepsBetween(entry.name.slice(entry.name.indexOf("/") + 1), name);
  return fitting.toSorted((one, other) => stepsTo(one) - stepsTo(other))[0]?.name ?? null;
}

/** Edit distance between two names (Levenshtein). */
function stepsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= other.length; to += 1)
      next.push(Math.min(next[to - 1]! + 1, row[to]! + 1, row[to - 1]! + (letter === other[to - 1] ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** Returns the family of a supplier by its preset, its host or its kind; null: unknown. */
export function familyOf({ name, baseUrl, kind }: Pick<Supplier, "name" | "baseUrl" | "kind">): SupplierFamily | null {
  if (kind === "bedrock" || kind === "vertex" || kind === "cohere") return kind;
  if (kind === "gemini") return "gemini-native";
  if (kind === "aggregator") return "openrouter";
  if (kind === "messages") return "anthropic";
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : "";
  const preset = Object.entries(PRESETS).find(
    ([provider, known]) =>
      provider === name ||
      known.hosts?.test(host) === true ||
      (known.baseUrl !== null && new URL(known.baseUrl).host === host),
  )?.[0];
  return (
    SUPPLIER_FAMILIES.find((family) => family === preset || family === name) ??
    HOSTS.find(([pattern]) => pattern.test(host))?.[1] ??
    null
  );
}

const entryNamed = (name: string): ProfileEntry | undefined => FAMILIES.flat().find((entry) => entry.name === name);

/** Returns the entry of a model by its upstream name; undefined: unknown model. */
export function entryFor(model: string): ProfileEntry | undefined {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  for (const family of FAMILIES) {
    const entry = family.findLast(({ models }) => models.test(name));
    if (entry !== undefined) return entry;
  }
  return undefined;
}

/** Returns an entry and its ancestors by `like`, the entry itself last. */
function lineOf(entry: ProfileEntry): ProfileEntry[] {
  const parent = entry.like === undefined ? undefined : entryNamed(entry.like);
  return [...(parent === undefined ? [] : lineOf(parent)), entry];
}

function resolved(entry: ProfileEntry | null, family: SupplierFamily | null): ModelProfile {
  const line = entry === null ? [] : lineOf(entry);
  const names = entry === null ? [GENERAL.name] : line.map(({ name }) => name);
  const own = SUPPLIERS.filter(
    ({ supplier, profiles, except = [] }) =>
      supplier === family &&
      (profiles === undefined || names.some((name) => profiles.includes(name))) &&
      !names.some((name) => except.includes(name)),
  );
  const profile = [...line, ...own].reduce((sum, { rules }) => merged(sum, rules), GENERAL);
  return { ...profile, name: entry?.name ?? GENERAL.name };
}

const merged = (profile: ModelProfile, rules: ProfileRules): ModelProfile => ({
  ...profile,
  ...rules,
  fields: { ...profile.fields, ...rules.fields },
  thinking: { ...profile.thinking, ...rules.thinking },
  reasoning: { ...profile.reasoning, ...rules.reasoning },
});

/** Model names in answers of deployments whose own names are unknown, by address and upstream name. */
const answers = new Map<string, string>();
const MAX_ANSWERS = 10_000;

const placeOf = ({ supplier, upstreamModel }: ProfiledRoute): string => `${supplier.baseUrl}\n${upstreamModel}`;
const answeredBy = (route: ProfiledRoute): string | undefined => answers.get(placeOf(route));

/** Whether the model name in an answer may identify a model that the route's own names do not. */
export const isUnknownModel = (route: ProfiledRoute): boolean =>
  profileOf(route).name === GENERAL.name && answeredBy(route) === undefined;

/**
 * Stores the model name of an answer for a route with an unknown model. Other routes to the same deployment use it,
 * too.
 */
export function recordAnsweredModel(route: ProfiledRoute, model: string): void {
  if (answers.size >= MAX_ANSWERS) answers.clear();
  answers.set(placeOf(route), model);
  if (entryFor(model) !== undefined) profileCache = new WeakMap();
}
