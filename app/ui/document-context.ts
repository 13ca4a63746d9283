import { createContext, useContext } from "react";
import { isLanguage, type Language } from "~/i18n/languages";
import type { Theme } from "./theme";

/** What only the server knows when it writes the document: it comes from the request, not from a loader, so error pages have it too. */
export type DocumentFacts = {
  nonce: string;
  /** Where the script of plain pages is. */
  enhance: string;
  theme: Theme;
  language: Language;
  /** The colour of the portal whose host name was asked for, six hexadecimal digits; null: gw's own. */
  accent: string | null;
  /** Whether anybody may open an account here. */
  openSignUp: boolean;
  /** Whether there is a public page about how the models have been. */
  statusPage: boolean;
  /** Whether somebody is signed in; what they may see is another question. */
  signedIn: boolean;
};

export const DocumentContext = createContext<DocumentFacts | null>(null);

/** The facts of this document. In the browser they are read back from what the server wrote. */
export function useDocumentFacts(): DocumentFacts {
  return (
    useContext(DocumentContext) ?? {
      nonce: "",
      enhance: enhanceInBrowser(),
      theme: themeInBrowser(),
      language: languageInBrowser(),
      accent: accentInBrowser(),
      openSignUp: isLinked("/signup"),
      statusPage: isLinked("/status"),
      signedIn: isLinked("/dashboard"),
    }
  );
}

function themeInBrowser(): Theme {
  const theme = typeof document === "undefined" ? undefined : document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

function languageInBrowser(): Language {
  const language = typeof document === "undefined" ? undefined : document.documentElement.lang;
  return isLanguage(language) ? language : "en";
}

function enhanceInBrowser(): string {
  if (typeof document === "undefined") return "";
  return document.querySelector("script[data-enhance]")?.getAttribute("src") ?? "";
}

function accentInBrowser(): string | null {
  if (typeof document === "undefined") return null;
  return document.querySelector<HTMLLinkElement>("link[data-accent]")?.dataset.accent ?? null;
}

/** Whether the header of a public page has a link, as the server wrote it. */
function isLinked(path: string): boolean {
  return typeof document !== "undefined" && document.querySelector(`.site-chrome a[href="${path}"]`) !== null;
}
