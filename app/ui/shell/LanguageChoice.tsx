import { href } from "react-router";
import { LANGUAGE_NAMES, LANGUAGES } from "~/i18n/languages";
import { useDocumentFacts } from "./document-context";

/** Language selector: a form that works without script. `label` names it for screen readers. */
export function LanguageChoice({ label }: { label: string }) {
  const { language: chosen } = useDocumentFacts();
  return (
    <form method="post" action={href("/set-language")}>
      <fieldset className="-mx-2 flex flex-wrap gap-x-1">
        <legend className="sr-only">{label}</legend>
        {LANGUAGES.map((language) => (
          <button
            key={language}
            type="submit"
            name="language"
            value={language}
            lang={language}
            aria-pressed={language === chosen}
            className="cursor-pointer rounded px-2 py-1 hover:text-ink aria-pressed:font-strong aria-pressed:text-ink"
          >
            {LANGUAGE_NAMES[language]}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
