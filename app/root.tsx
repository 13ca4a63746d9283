import interLatin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useMatches, useRouteError } from "react-router";
import type { Route } from "./+types/root";
import { flash } from "./access/flash.server";
import { guardOrigin } from "./access/guard-origin.server";
import { jsonForPrograms } from "./access/json-answers.server";
import { knowPerson } from "./access/know-person.server";
import { hydrates } from "./ui/page-handle";
import { useDocumentFacts } from "./ui/shell/document-context";
import { ErrorPage } from "./ui/shell/ErrorPage";
import { problemOf } from "./ui/shell/error-page-text";
import "./tailwind.css";

export const middleware: Route.MiddlewareFunction[] = [guardOrigin, knowPerson, jsonForPrograms, flash];

export const links: Route.LinksFunction = () => [
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "preload", href: interLatin, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
];

export function Layout({ children }: { children: ReactNode }) {
  const { nonce, enhance, theme, language, accent } = useDocumentFacts();
  // The error is null if the page has none.
  const failed = (useRouteError() ?? null) !== null;
  const hydrated = (hydrates(useMatches()) && !failed) || import.meta.env.DEV;
  return (
    <html lang={language} data-theme={theme === "system" ? undefined : theme} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
        {accent ? <link rel="stylesheet" href={`/brand/${accent}`} data-accent={accent} /> : null}
        <script type="module" src={enhance} nonce={nonce} data-enhance="" suppressHydrationWarning />
      </head>
      <body>
        {children}
        {hydrated && (
          <>
            <ScrollRestoration nonce={nonce} />
            <Scripts nonce={nonce} />
          </>
        )}
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const { t } = useTranslation("ui");
  const problem = problemOf(error, t);
  return (
    <>
      <title>{`${problem.title} · gw`}</title>
      <ErrorPage {...problem} />
    </>
  );
}
