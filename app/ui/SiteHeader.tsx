import { useTranslation } from "react-i18next";
import { Mark } from "./Mark";
import { HEADER_LINKS, SITE_GROUPS } from "./site-links";

/** The bar above every public page. On narrow screens the pages are behind a button, which needs no script. */
export function SiteHeader() {
  const { t } = useTranslation("public");
  return (
    <header className="site-chrome relative mx-auto flex w-full max-w-page items-center justify-between gap-6 px-5 py-4 sm:px-7">
      <a href="/" className="flex items-center gap-2 font-bold text-xl tracking-tight">
        <Mark />
        gw
      </a>
      <nav aria-label={t("site")} className="hidden items-center gap-6 text-ink-2 md:flex">
        {HEADER_LINKS.map(([name, path]) => (
          <a key={name} href={path} className="hover:text-ink">
            {t(`links.${name}`)}
          </a>
        ))}
      </nav>
      <p className="hidden items-center gap-4 md:flex">
        <a href="/login" className="text-ink-2 hover:text-ink">
          {t("signIn")}
        </a>
        <a href="/signup" className="button button-small">
          {t("signUp")}
        </a>
      </p>
      <SmallMenu />
    </header>
  );
}

function SmallMenu() {
  const { t } = useTranslation("public");
  return (
    <details className="site-menu md:hidden">
      <summary className="button button-small">{t("menu")}</summary>
      <nav
        aria-label={t("menu")}
        className="panel absolute inset-x-5 top-15 z-20 grid grid-cols-2 gap-5 p-5 sm:inset-x-7"
      >
        {SITE_GROUPS.map((group) => (
          <div key={group.name}>
            <p className="mb-1 text-sm text-ink-3">{t(`groups.${group.name}`)}</p>
            <ul className="grid">
              {group.links.map(([name, path]) => (
                <li key={name}>
                  <a href={path} className="block py-1.5 hover:text-accent">
                    {t(`links.${name}`)}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p className="col-span-2 grid grid-cols-2 gap-3 border-line border-t pt-4">
          <a href="/login" className="button">
            {t("signIn")}
          </a>
          <a href="/signup" className="button button-primary">
            {t("signUp")}
          </a>
        </p>
      </nav>
    </details>
  );
}
