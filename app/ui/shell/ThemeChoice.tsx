import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { THEMES } from "../theme/theme";
import { useDocumentFacts } from "./document-context";

/** Theme selector: a form that works without script, and applies at once with script. */
export function ThemeChoice() {
  const { theme: chosen } = useDocumentFacts();
  const { t } = useTranslation("public");
  return (
    <form method="post" action={href("/set-theme")} data-theme-choice className="flex items-center">
      <fieldset className="flex overflow-hidden rounded-[7px] border border-line-strong">
        <legend className="sr-only">{t("colours.name")}</legend>
        {THEMES.map((theme) => (
          <button
            key={theme}
            type="submit"
            name="theme"
            value={theme}
            aria-pressed={theme === chosen}
            className="cursor-pointer border-line border-l px-3 py-1 first-of-type:border-l-0 hover:text-ink aria-pressed:bg-sunken aria-pressed:font-strong aria-pressed:text-ink"
          >
            {t(`colours.${theme}`)}
          </button>
        ))}
      </fieldset>
    </form>
  );
}
