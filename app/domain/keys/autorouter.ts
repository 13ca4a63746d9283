/** Algorithms of the autorouter. */
export const AUTOROUTER_ALGORITHMS = ["cheapest", "fastest", "balanced", "quality"] as const;
export type AutorouterAlgorithm = (typeof AUTOROUTER_ALGORITHMS)[number];
export const DEFAULT_ALGORITHM: AutorouterAlgorithm = "balanced";

/** Settings for a key, a person and an organisation. Without one, the next wider setting applies. */
export const AUTOROUTER_CHOICES = ["off", ...AUTOROUTER_ALGORITHMS] as const;

/**
 * One stored setting. `autorouter`: one of the choices; `autorouterDefault`: the model that savings are compared with.
 */
export type AutorouterSetting = { autorouter: string | null; autorouterDefault: string | null };

/** The origin of the effective setting. `installation`: none is set. */
type SettingSource = "key" | "user" | "organisation" | "installation";

/**
 * The effective settings of a key and their origins. `algorithm` may be "off". A null `defaultModel` is the candidate
 * of highest quality.
 */
export type EffectiveAutorouter = {
  algorithm: string;
  algorithmFrom: SettingSource;
  defaultModel: string | null;
  defaultFrom: SettingSource;
};

/**
 * Decides how `auto` chooses for a key: the first setting of the key, its owner and its organisation, separately for
 * each of the two fields. A request may name another algorithm, but cannot enable the autorouter where it is off.
 */
export function effectiveAutorouter(settings: {
  key: AutorouterSetting | null;
  user: AutorouterSetting | null;
  organisation: AutorouterSetting | null;
}): EffectiveAutorouter {
  const [algorithm, algorithmFrom] = narrowest(settings, "autorouter");
  const [defaultModel, defaultFrom] = narrowest(settings, "autorouterDefault");
  return { algorithm: algorithm ?? DEFAULT_ALGORITHM, algorithmFrom, defaultModel, defaultFrom };
}

function narrowest(
  settings: Parameters<typeof effectiveAutorouter>[0],
  field: keyof AutorouterSetting,
): [value: string | null, from: SettingSource] {
  for (const from of ["key", "user", "organisation"] as const) {
    const value = settings[from]?.[field];
    if (value) return [value, from];
  }
  return [null, "installation"];
}

/**
 * A key's setting: the entries `autorouter` and `autorouter_default` of its metadata, which can also be set through the
 * management API.
 */
export const settingOfKey = (metadata: unknown): AutorouterSetting => ({
  autorouter: entryOf(metadata, "autorouter"),
  autorouterDefault: entryOf(metadata, "autorouter_default"),
});

/** Returns an entry of a key's metadata; null if it is missing or empty. */
export function entryOf(metadata: unknown, name: string): string | null {
  const value = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, name) : null;
  return typeof value === "string" && value !== "" ? value : null;
}
