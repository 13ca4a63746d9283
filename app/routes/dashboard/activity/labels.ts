import { useTranslation } from "react-i18next";

/** Returns the name of an action in the reader's language; an unknown action keeps its code. */
export function useActionLabels(): (action: string) => string {
  const { t } = useTranslation("activity");
  const translate = t as unknown as (key: string, options: { defaultValue: string }) => string;
  return (action) => translate(`acts.${action}`, { defaultValue: action });
}

/** Returns the name of a field in the reader's language; an unknown field keeps its stored name, without its unit. */
export function useFieldLabels(): (name: string) => string {
  const { t } = useTranslation("activity");
  const translate = t as unknown as (key: string, options: { defaultValue: string }) => string;
  return (name) => {
    const stored = name.replace(/NanoUsd$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return translate(`fields.${stored}`, { defaultValue: stored.replaceAll("_", " ") });
  };
}
