import { randomBytes } from "node:crypto";
import enhance from "virtual:enhance-address";
import { createReadableStreamFromReadable } from "@react-router/node";
import { isbot } from "isbot";
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
import { GatheringStream } from "./http/gathering-stream";
import { i18nFor } from "./i18n/server.server";
import { log } from "./log.server";
import { DocumentContext } from "./ui/document-context";
import { themeOf } from "./ui/theme-cookie.server";

/** A page whose data takes longer is ended as it is. */
export const streamTimeout = 8_000;

/** Writes the document of a page. Browsers get its head at once; crawlers wait for the whole. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  if (isProgramsForm(request)) return jsonOfPage(entryContext.staticHandlerContext, status, headers);
  const nonce = randomBytes(16).toString("base64");
  setPageHeaders(headers, nonce);
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const language = languageOf(context, request);
  // A portal that cannot be looked up looks like gw's own.
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
  return new Promise((resolve, reject) => {
    let shellSent = false;
    const answer = () => {
      shellSent = true;
      const body = new GatheringStream();
      // React is stopped only when the browser has gone or the time is over, never after a complete answer.
      body.once("close", () => clearTimeout(deadline));
      pipe(body);
      resolve(new Response(createReadableStreamFromReadable(body), { status, headers }));
    };
    const waitForAll = isbot(request.headers.get("user-agent")) || entryContext.isSpaMode;
    const { pipe, abort } = renderToPipeableStream(
      <DocumentContext value={facts}>
        <I18nextProvider i18n={i18nFor(language)}>
          <ServerRouter context={entryContext} url={request.url} nonce={nonce} />
        </I18nextProvider>
      </DocumentContext>,
      {
        nonce,
        [waitForAll ? "onAllReady" : "onShellReady"]: answer,
        onShellError: reject,
        onError(problem: unknown) {
          status = 500;
          // Before the shell is sent, the problem arrives in onShellError and is logged once there.
          if (shellSent) log.error({ err: problem }, "a page could not be written to its end");
        },
      },
    );
    const deadline = setTimeout(() => abort(new Error("the page took too long")), streamTimeout + 1_000);
    request.signal.addEventListener("abort", () => abort(request.signal.reason), { once: true });
  });
}

/** One log line for what a loader, an action or a page threw unexpectedly. */
export const handleError: HandleErrorFunction = (problem, { request }) => {
  if (request.signal.aborted) return;
  // An address that does not exist is no failure.
  if (isRouteErrorResponse(problem) && problem.status < 500) return;
  // A long segment may be the token of a link that works once.
  const path = new URL(request.url).pathname.replace(/[^/]{30,}/g, "…");
  log.error({ err: problem, method: request.method, path }, "a page failed");
};

/** Where the payment processor has its pages. */
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
