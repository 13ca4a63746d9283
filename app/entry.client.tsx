import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { HydratedRouter } from "react-router/dom";
import { createI18n } from "./i18n/create";
import { wordsOfDocument } from "./i18n/load";

const { language, messages } = await wordsOfDocument();
const i18n = createI18n(language, messages);

// Every navigation loads a new document, because the script of pages without hydration starts when a document loads.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (link !== null && link.pathname !== location.pathname) event.stopImmediatePropagation();
  },
  true,
);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <I18nextProvider i18n={i18n}>
        <HydratedRouter />
      </I18nextProvider>
    </StrictMode>,
  );
});
