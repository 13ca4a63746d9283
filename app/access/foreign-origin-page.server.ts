import { apiError } from "~/errors/app-error";
import { problemWords } from "~/errors/problem-words.server";
import { i18nFor } from "~/i18n/server.server";
import { chooseLanguage } from "./language.server";

/** Whether a browser has sent a form and will show whatever comes back. */
export const showsPages = (request: Request): boolean => (request.headers.get("accept") ?? "").includes("text/html");

/**
 * The answer to a form that was sent from another address than the portal's: a page with a link to the portal. It has neither scripts nor
 * styles, because no page of the portal stands behind it.
 */
export function foreignOriginPage(request: Request, origin: string): Response {
  const language = chooseLanguage(request, null);
  const title = i18nFor(language).t("ui:errorPage.blocked");
  const text = problemWords(apiError("csrf_rejected"), language);
  const page = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="error-code" content="csrf_rejected"><meta name="viewport" content="width=device-width, initial-scale=1">
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
