import { randomUUID } from "node:crypto";
import enhance from "virtual:enhance-address";
import { renderToPipeableStream } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { knownContext } from "./access/actor.server";
import { isProgramsForm, jsonOfPage } from "./access/json-answers.server";
import { languageOf } from "./access/language.server";
import { portalOf } from "./access/portal-of.server";
import { pagePolicy, setSecurityHeaders } from "./access/security-headers";
import { config } from "./config.server";
import { gathering } from "./http/body/gathering";
import { i18nFor } from "./i18n/server.server";
import { log } from "./observe/log.server";
import { DocumentContext } from "./ui/shell/document-context";
import { themeOf } from "./ui/theme/theme-cookie.server";

/** Maximum time in milliseconds for the data of a page. */
export const streamTimeout = 8_000;

/** Renders the document of a page. No page has deferred data, so the complete document is sent. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  if (isProgramsForm(request)) return jsonOfPage(entryContext.staticHandlerContext, status, headers);
  // 244 random bits, from random bytes that Node caches for many UUIDs.
  const nonce = `${randomUUID()}${randomUUID()}`;
  setPageHeaders(headers, nonce);
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const language = languageOf(context, request);
  // If the portal cannot be determined, the page has gw's own branding.
  const face = await portalOf(request).catch(() => null);
  const accent = face?.accentColour?.slice(1) ?? null;
  const known = context.get(knownContext);
  const facts = {
    nonce,
    enhance,
    language,
    accent,
    theme: themeOf(request.headers.get("cookie")),
    openSignUp: config().signUp === "open",
    statusPage: config().statusPage,
    signedIn: "person" in known && known.person !== null,
  };
  let shellReady = false;
  let deadline: NodeJS.Timeout | undefined;
  const page = await new Promise<Buffer<ArrayBuffer>>((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <DocumentContext value={facts}>
        <I18nextProvider i18n={i18nFor(language)}>
          <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
        </I18nextProvider>
      </DocumentContext>,
      {
        nonce,
        onShellReady: () => {
          shellReady = true;
        },
        onShellError: reject,
        onAllReady: () => pipe(gathering(resolve)),
        onError(error: unknown) {
          status = 500;
          // Errors before the shell is ready are logged in onShellError.
          if (shellReady) log.error({ err: error }, "a page could not be written to its end");
        },
      },
    );
    deadline = setTimeout(() => abort(new Error("the page took too long")), streamTimeout + 1_000);
    request.signal.addEventListener("abort", () => abort(request.signal.reason), { once: true });
  }).finally(() => clearTimeout(deadline));
  headers.set("content-length", String(page.byteLength));
  return new Response(page, { status, headers });
}

/** Logs an unexpected error of a loader, an action or a page. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted) return;
  // An unknown URL is not an error.
  if (isRouteErrorResponse(error) && error.status < 500) return;
  // A long segment may be the token of a single-use link.
  const path = new URL(request.url).pathname.replace(/[^/]{30,}/g, "…");
  log.error({ err: error, method: request.method, path }, "a page failed");
};

/** Origin of the payment processor's pages. */
const CHECKOUT_ORIGIN = "https://checkout.stripe.com";

function setPageHeaders(headers: Headers, nonce: string): void {
  headers.set("content-type", "text/html; charset=utf-8");
  headers.set(
    "content-security-policy",
    import.meta.env.DEV
      ? "frame-ancestors 'none'"
      : pagePolicy(nonce, config().stripe === null ? null : CHECKOUT_ORIGIN),
  );
  if (!headers.has("cache-control")) headers.set("cache-control", "no-store");
  headers.append("vary", "Cookie, Accept-Language");
  setSecurityHeaders(headers, { https: config().baseUrl.startsWith("https:") });
}
