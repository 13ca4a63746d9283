import { apiError } from "~/errors/app-error";
import { errorMessage } from "~/errors/problem-words.server";
import { i18nFor } from "~/i18n/server.server";
import { chooseLanguage } from "./language.server";

/** Whether a browser has sent the request as a form, and displays the response. */
export const showsPages = (request: Request): boolean => (request.headers.get("accept") ?? "").includes("text/html");

/**
 * Returns the response to a form that was sent from another origin: a page with a link to the portal. It has no scripts
 * or styles, because no route of the portal renders it.
 */
export function foreignOriginPage(request: Request, origin: string): Response {
  const language = chooseLanguage(request, null);
  const title = i18nFor(language).t("ui:errorPage.blocked");
  const text = errorMessage(apiError("csrf_rejected"), language);
  const page = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="error-code" content="csrf_rejected"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title><h1>${escaped(title)}</h1><p>${escaped(text)}</p><p><a href="${escaped(origin)}">${escaped(origin)}</a></p></html>\n`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    vary: "Accept, Accept-Language",
  };
  return new Response(page, { status: 403, headers });
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
