import { createContext, useContext } from "react";
import { isLanguage, type Language } from "~/i18n/languages";
import type { Theme } from "../theme/theme";

/**
 * Facts that only the server knows when it writes the document. They come from the request instead of a loader, so
 * error pages have them too.
 */
export type DocumentFacts = {
  nonce: string;
  /** URL of the script for pages without hydration. */
  enhance: string;
  theme: Theme;
  language: Language;
  /** The accent colour of the requested host's portal, as six hexadecimal digits; null: gw's default. */
  accent: string | null;
  /** Whether visitors can create an account. */
  openSignUp: boolean;
  /** Whether the public status page exists. */
  statusPage: boolean;
  /** Whether the visitor is signed in. It does not imply any permission. */
  signedIn: boolean;
};

export const DocumentContext = createContext<DocumentFacts | null>(null);

/** Returns the facts of this document. In the browser they are read back from the server's HTML. */
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

/** Whether the header or footer that the server wrote has a link to this path. */
function isLinked(path: string): boolean {
  return typeof document !== "undefined" && document.querySelector(`.site-chrome a[href="${path}"]`) !== null;
}
