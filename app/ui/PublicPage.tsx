import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SiteFooter } from "./SiteFooter";
import { SiteHeader } from "./SiteHeader";

/** Header, content and footer of a page that anybody may see. `lang`: the content's language, where it is not the reader's. */
export function PublicPage({ children, lang }: { children: ReactNode; lang?: "en" }) {
  const { t } = useTranslation("public");
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:z-30 focus:rounded focus:bg-surface focus:px-3 focus:py-2"
      >
        {t("skip")}
      </a>
      <SiteHeader />
      <main id="content" lang={lang} className="mx-auto w-full max-w-page px-5 pb-24 sm:px-7">
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
