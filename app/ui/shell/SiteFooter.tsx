import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { useDocumentFacts } from "./document-context";
import { LanguageChoice } from "./LanguageChoice";
import { SITE_GROUPS } from "./site-links";
import { ThemeChoice } from "./ThemeChoice";

/** Footer of all public pages, with links to all of them by group. */
export function SiteFooter() {
  const { t } = useTranslation("public");
  const { statusPage } = useDocumentFacts();
  return (
    <footer className="site-chrome mt-auto border-line border-t bg-sunken/60">
      <div className="mx-auto w-full max-w-page px-5 py-10 text-ui sm:px-7">
        <nav aria-label={t("menu")} className="grid grid-cols-2 gap-x-6 gap-y-8 sm:grid-cols-4">
          {SITE_GROUPS.map((group) => (
            <div key={group.name}>
              <h2 className="mb-2 font-semibold text-ink text-ui tracking-normal">{t(`groups.${group.name}`)}</h2>
              <ul className="grid text-ink-2">
                {group.links.map(([name, path]) => (
                  <li key={name}>
                    <a href={path} className="inline-block py-1 hover:text-accent">
                      {t(`links.${name}`)}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
        <div className="mt-10 flex flex-wrap items-center justify-between gap-x-6 gap-y-4 border-line border-t pt-5 text-ink-3">
          <p className="flex flex-wrap gap-x-5 gap-y-1">
            {statusPage ? (
              <a href={href("/status")} className="inline-block py-1 hover:text-ink">
                {t("links.status")}
              </a>
            ) : null}
            <a href={href("/openapi.json")} className="mono inline-block py-1 hover:text-ink">
              openapi.json
            </a>
            <a href={href("/error-codes.json")} className="mono inline-block py-1 hover:text-ink">
              error-codes.json
            </a>
            <a href={href("/health")} className="mono inline-block py-1 hover:text-ink">
              health
            </a>
          </p>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
            <LanguageChoice label={t("language")} />
            <ThemeChoice />
          </div>
        </div>
      </div>
    </footer>
  );
}
