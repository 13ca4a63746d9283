import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { InPageLink } from "~/ui/InPageLink";
import { LanguageChoice } from "~/ui/shell/LanguageChoice";
import { ThemeChoice } from "~/ui/shell/ThemeChoice";

type Toast = { kind: "good" | "bad"; text: string } | null;
type Props = { title: string; brand: string; lead?: ReactNode; toast?: Toast; children: ReactNode };

/** The frame of all sign-in pages: one column, one heading, one task. */
export function SignInFrame({ title, brand, lead, toast, children }: Props) {
  const { t } = useTranslation("signIn");
  return (
    <>
      <title>{`${title} · ${brand}`}</title>
      <meta name="robots" content="noindex" />
      <InPageLink
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:top-3 focus:left-3 focus:z-30 focus:rounded focus:bg-surface focus:px-3 focus:py-2"
      >
        {t("frame.skip")}
      </InPageLink>
      <header className="mx-auto w-full max-w-form px-5 pt-8 sm:pt-14">
        <a href={href("/")} className="inline-flex items-center gap-2 font-bold text-xl tracking-tight">
          <span aria-hidden="true" className="relative size-5 overflow-hidden rounded-sm bg-accent">
            <span className="mark-hatch absolute inset-y-0 right-0 w-1/2" />
          </span>
          {brand}
        </a>
      </header>
      <main id="content" className="mx-auto w-full max-w-form px-5 pt-8 pb-16 sm:pt-10">
        {toast ? (
          <p
            role={toast.kind === "bad" ? "alert" : "status"}
            className={`mb-6 rounded-lg px-3.5 py-2.5 ${toast.kind === "bad" ? "bg-bad-soft text-bad" : "bg-accent-soft text-ink"}`}
          >
            {toast.text}
          </p>
        ) : null}
        <h1 className="text-6xl leading-tight">{title}</h1>
        {lead ? <div className="mt-2 text-ink-2">{lead}</div> : null}
        {children}
      </main>
      <footer className="mt-auto border-line border-t">
        <div className="mx-auto flex w-full max-w-page flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 py-4 text-ui text-ink-3 sm:px-7">
          <LanguageChoice label={t("frame.language")} />
          <p className="flex flex-wrap gap-x-5 gap-y-1">
            <a href={href("/legal/terms")} className="hover:text-ink">
              {t("frame.terms")}
            </a>
            <a href={href("/legal/privacy")} className="hover:text-ink">
              {t("frame.privacy")}
            </a>
          </p>
          <ThemeChoice />
        </div>
      </footer>
    </>
  );
}
