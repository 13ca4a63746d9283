import type { ReactNode } from "react";
import { SiteFooter } from "./SiteFooter";
import { SiteHeader } from "./SiteHeader";

/** Header, content and footer of a page that anybody may see. */
export function PublicPage({ children }: { children: ReactNode }) {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:rounded focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to the content
      </a>
      <SiteHeader />
      <main id="content" className="mx-auto w-full max-w-[1120px] px-5 pb-20 sm:px-7">
        {children}
      </main>
      <SiteFooter />
    </>
  );
}
