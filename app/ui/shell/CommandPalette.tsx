import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { THEMES } from "../theme/theme";

/** An action of the command palette. `post`: a form that is sent to `to`. */
export type PaletteAct = { to: string; label: string; post?: true };

type Page = { to: string; label: string; group: string };

/**
 * The command palette (Ctrl-K): finds pages and actions by a few letters, and searches keys, people, models,
 * organisations and request ids on the server. The page's script opens and filters it; without script it cannot be
 * opened.
 */
export function CommandPalette({ navigation, acts }: { navigation: readonly Page[]; acts: readonly PaletteAct[] }) {
  const { t } = useTranslation(["ui", "public"]);
  const kinds = ["key", "person", "model", "organisation", "request", "switch"] as const;
  return (
    <dialog className="palette" data-palette aria-label={t("goTo")}>
      <input
        type="search"
        className="palette-field"
        placeholder={t("palette.placeholder")}
        aria-label={t("palette.placeholder")}
        data-palette-field
        autoComplete="off"
        spellCheck={false}
      />
      <p role="status" className="sr-only" data-palette-status data-nothing={t("palette.nothing")} />
      <div className="palette-list" data-nothing={t("palette.nothing")}>
        <ul>
          {navigation.map(({ to, label, group }) => (
            <li key={to} data-palette-row>
              <a href={to} className="palette-row">
                <span>{label}</span>{" "}
                {group === "work" ? null : (
                  <span className="palette-note">{t(`groups.${group}` as "groups.admin")}</span>
                )}
              </a>
            </li>
          ))}
          {acts.map(({ to, label, post }) => (
            <li key={to} data-palette-row>
              {post ? (
                <form method="post" action={to}>
                  <button type="submit" className="palette-row">
                    {label}
                  </button>
                </form>
              ) : (
                <a href={to} className="palette-row">
                  {label}
                </a>
              )}
            </li>
          ))}
          {THEMES.map((theme) => (
            <li key={theme} data-palette-row data-on-typing>
              <form method="post" action={href("/set-theme")} data-theme-choice>
                <button type="submit" name="theme" value={theme} className="palette-row">
                  <span>{t(`public:colours.${theme}`)}</span>{" "}
                  <span className="palette-note">{t("public:colours.name")}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
        <ul
          data-palette-found={`${href("/dashboard/search")}?q=`}
          data-words={JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind, t(`palette.kind.${kind}`)])))}
        />
      </div>
    </dialog>
  );
}
