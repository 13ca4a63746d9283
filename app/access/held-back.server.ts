import { fieldsToFillIn } from "~/http/parse-form";
import { readFields } from "~/http/read-fields";
import { seal, unseal } from "~/sealing.server";
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
  /** Where the browser has to go first. */
  to: string;
};

/**
 * Sends a browser to where it has to go before its form can be taken. The page that the form came from gives it back filled
 * in to the same person, once, within a quarter of an hour; it is never sent by itself. What is too long for a cookie is lost.
 */
export function heldBack({ request, url, userId, sent, to }: Form): Response {
  const draft = draftFor({ request, url, userId, sent });
  return redirectWith(to, [draft ?? noDraftCookie()]);
}

/**
 * The same for a form of somebody whose session has ended, who is told so on the page that signs in. Whose form it is says a
 * cookie of their last page.
 */
export async function heldBackSignedOut({ request, url, to }: Omit<Form, "userId" | "sent">): Promise<Response> {
  const userId = lastPersonOf(request);
  if (userId === null) return redirectWith(to, []);
  const sent = await readFields(request).catch(() => ({}));
  const draft = draftFor({ request, url, userId, sent });
  const text = draft === null ? "signIn:ended.plain" : "signIn:ended.kept";
  return redirectWith(to, [draft ?? noDraftCookie(), flashCookie("toast", { kind: "bad", text })]);
}

/** Makes the browser that is shown a page remember who is signed in, for forms that it sends after their session. */
export function rememberPerson(request: Request, response: Response, userId: number): void {
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false;
  if (!isPage || lastPersonOf(request) === userId) return;
  response.headers.append("set-cookie", setCookie(PERSON_COOKIE, seal(String(userId), PLACE)));
}

function draftFor({ request, url, userId, sent }: Omit<Form, "to">): string | null {
  const texts = fieldsToFillIn(sent);
  // Which act it was is nothing that anybody has typed.
  if (Object.keys(texts).every((name) => name === "intent")) return null;
  const [page = ""] = cameFrom(request, url.pathname).split(/[?#]/);
  return draftCookie({ userId, page, action: url.pathname, sent: texts });
}

function lastPersonOf(request: Request): number | null {
  const sealed = readCookie(request, PERSON_COOKIE);
  try {
    return sealed === null ? null : Number(unseal(sealed, PLACE));
  } catch {
    // Made with another GW_SECRET, or by somebody else.
    return null;
  }
}
