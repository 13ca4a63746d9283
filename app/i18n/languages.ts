/** The languages of the portal; the first one is used where nobody asks for another. */
export const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
};

export const isLanguage = (value: unknown): value is Language => LANGUAGES.some((language) => language === value);

/** The best of our languages for an Accept-Language header; English when it asks for none of them. */
export function acceptedLanguage(header: string | null): Language {
  const wishes = (header ?? "")
    .slice(0, 500)
    .split(",")
    .map((wish, place) => {
      const [tag = "", ...parameters] = wish.trim().toLowerCase().split(";");
      const weight = parameters
        .find((parameter) => parameter.trim().startsWith("q="))
        ?.trim()
        .slice(2);
      return { language: tag.split("-")[0], weight: weight === undefined ? 1 : Number(weight), place };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.place - b.place);
  return wishes.map(({ language }) => language).find(isLanguage) ?? LANGUAGES[0];
}
