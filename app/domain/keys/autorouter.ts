/** How the autorouter chooses. */
export const AUTOROUTER_ALGORITHMS = ["cheapest", "fastest", "balanced", "quality"] as const;
export type AutorouterAlgorithm = (typeof AUTOROUTER_ALGORITHMS)[number];
export const DEFAULT_ALGORITHM: AutorouterAlgorithm = "balanced";

/** What can be set for a key, a person and an organisation. Nothing: as the next wider one says. */
export const AUTOROUTER_CHOICES = ["off", ...AUTOROUTER_ALGORITHMS] as const;

/** One setting, as it is stored. `autorouter`: one of the choices; `autorouterDefault`: the model that savings are told against. */
export type AutorouterSetting = { autorouter: string | null; autorouterDefault: string | null };

/** Whose setting holds. `installation`: nobody has set anything. */
type SettingSource = "key" | "user" | "organisation" | "installation";

/** What holds for a key, and by whose setting. `algorithm` may be "off". A null `defaultModel` is the candidate of highest quality. */
export type EffectiveAutorouter = {
  algorithm: string;
  algorithmFrom: SettingSource;
  defaultModel: string | null;
  defaultFrom: SettingSource;
};

/**
 * The one place that decides how `auto` chooses for a key: the key's own setting, its owner's, its organisation's, in this order;
 * each of the two fields by itself. A request may name another algorithm, but cannot switch on what is off.
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

/** A key's setting: the entries `autorouter` and `autorouter_default` of its metadata, which the management API sets as well. */
export const settingOfKey = (metadata: unknown): AutorouterSetting => ({
  autorouter: entryOf(metadata, "autorouter"),
  autorouterDefault: entryOf(metadata, "autorouter_default"),
});

/** An entry of a key's metadata; null where there is none, or an empty one. */
export function entryOf(metadata: unknown, name: string): string | null {
  const value = typeof metadata === "object" && metadata !== null ? Reflect.get(metadata, name) : null;
  return typeof value === "string" && value !== "" ? value : null;
}
