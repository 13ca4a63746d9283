import { fieldsToFillIn } from "~/http/body/parse-form";
import { readFields } from "~/http/body/read-fields";
import { seal, unseal } from "~/sealing/sealing.server";
import { readCookie, setCookie } from "./cookies";
import { draftCookie, flashCookie, noDraftCookie, redirectWith } from "./flash.server";
import { cameFrom } from "./safe-next";

const PERSON_COOKIE = "gw_person";
const PLACE = "cookie:person";

type Form = {
  request: Request;
  url: URL;
  userId: number;
  sent: Readonly<Record<string, unknown>>;
  /** The page that the browser must visit first. */
  to: string;
};

/**
 * Redirects a browser to a page that it must visit before its form is accepted. The form's page then shows the form
 * filled in to the same person, once, within 15 minutes; it is never submitted automatically. Input that is too long
 * for a cookie is lost.
 */
export function heldBack({ request, url, userId, sent, to }: Form): Response {
  const draft = draftFor({ request, url, userId, sent });
  return redirectWith(to, [draft ?? noDraftCookie()]);
}

/**
 * The same for a form of a person whose session has ended; the sign-in page says so. A cookie of their last page
 * identifies the person.
 */
export async function heldBackSignedOut({ request, url, to }: Omit<Form, "userId" | "sent">): Promise<Response> {
  const userId = lastPersonOf(request);
  if (userId === null) return redirectWith(to, []);
  const sent = await readFields(request).catch(() => ({}));
  const draft = draftFor({ request, url, userId, sent });
  const text = draft === null ? "signIn:ended.plain" : "signIn:ended.kept";
  return redirectWith(to, [draft ?? noDraftCookie(), flashCookie("toast", { kind: "bad", text })]);
}

/** Stores in the browser which person a page was shown to, for forms that it sends after their session has ended. */
export function rememberPerson(request: Request, response: Response, userId: number): void {
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  if (!isPage || lastPersonOf(request) === userId) return;
  response.headers.append("set-cookie", setCookie(PERSON_COOKIE, seal(String(userId), PLACE)));
}

function draftFor({ request, url, userId, sent }: Omit<Form, "to">): string | null {
  const texts = fieldsToFillIn(sent);
  // `intent` is not user input, so a form with nothing else is not worth storing.
  if (Object.keys(texts).every((name) => name === "intent")) return null;
  const [page = ""] = cameFrom(request, url.pathname).split(/[?#]/);
  return draftCookie({ userId, page, action: url.pathname, sent: texts });
}

function lastPersonOf(request: Request): number | null {
  const sealed = readCookie(request, PERSON_COOKIE);
  try {
    return sealed === null ? null : Number(unseal(sealed, PLACE));
  } catch {
    // Sealed with another GW_SECRET, or forged.
    return null;
  }
}
