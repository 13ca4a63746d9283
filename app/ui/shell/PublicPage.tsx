import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "~/i18n/languages";
import { InPageLink } from "../InPageLink";
import { SiteFooter } from "./SiteFooter";
import { SiteHeader } from "./SiteHeader";

/**
 * Header, content and footer of a public page. `lang`: language of the content. If it differs from the reader's
 * language, the page says so and marks the content for screen readers.
 */
export function PublicPage({ children, lang }: { children: ReactNode; lang?: Language }) {
  const { t, i18n } = useTranslation("public");
  const isForeign = lang !== undefined && lang !== i18n.language;
  return (
    <>
      <InPageLink
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:z-30 focus:rounded focus:bg-surface focus:px-3 focus:py-2"
      >
        {t("skip")}
      </InPageLink>
      <SiteHeader />
      {isForeign ? (
        <p className="site-chrome mx-auto w-full max-w-page px-5 pt-2 text-sm text-ink-3 sm:px-7">{t("inEnglish")}</p>
      ) : null}
      <main id="content" lang={isForeign ? lang : undefined} className="mx-auto w-full max-w-page px-5 pb-24 sm:px-7">
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
