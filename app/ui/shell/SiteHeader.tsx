import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { Mark } from "../Mark";
import { useDocumentFacts } from "./document-context";
import { HEADER_LINKS, SITE_GROUPS } from "./site-links";

/** Header of all public pages. On narrow screens a button that needs no script opens the links. */
export function SiteHeader() {
  const { t } = useTranslation("public");
  return (
    <header className="site-chrome relative mx-auto flex w-full max-w-page items-center justify-between gap-6 px-5 py-4 sm:px-7">
      <a href={href("/")} className="flex items-center gap-2 font-bold text-xl tracking-tight">
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
        <AccountLinks quiet="text-ink-2 hover:text-ink" loud="button button-small" />
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
        <p className="col-span-2 flex gap-3 border-line border-t pt-4">
          <AccountLinks quiet="button flex-1" loud="button button-primary flex-1" />
        </p>
      </nav>
    </details>
  );
}

/** Link to the dashboard for signed-in users; otherwise links to sign in and, where sign-up is open, to sign up. */
function AccountLinks({ quiet, loud }: { quiet: string; loud: string }) {
  const { t } = useTranslation("public");
  const { openSignUp, signedIn } = useDocumentFacts();
  if (signedIn) {
    return (
      <a href={href("/dashboard")} className={loud}>
        {t("dashboard")}
      </a>
    );
  }
  return (
    <>
      <a href={href("/login")} className={openSignUp ? quiet : loud}>
        {t("signIn")}
      </a>
      {openSignUp ? (
        <a href={href("/signup")} className={loud}>
          {t("signUp")}
        </a>
      ) : null}
    </>
  );
}
