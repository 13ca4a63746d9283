import { useTranslation } from "react-i18next";

/** The name of an act in the reader's language; one without a name keeps its code. */
export function useActionLabels(): (action: string) => string {
  const { t } = useTranslation("activity");
  const translate = t as unknown as (key: string, options: { defaultValue: string }) => string;
  return (action) => translate(`acts.${action}`, { defaultValue: action });
}

/** The name of a field in the reader's language; one without a name is spelled as it is stored, without its unit. */
export function useFieldLabels(): (name: string) => string {
  const { t } = useTranslation("activity");
  const translate = t as unknown as (key: string, options: { defaultValue: string }) => string;
  return (name) => {
    const stored = name.replace(/NanoUsd$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return translate(`fields.${stored}`, { defaultValue: stored.replaceAll("_", " ") });
  };
}
