import { createHmac } from "node:crypto";
import type { RouterContextProvider } from "react-router";
import { config } from "~/config.server";
import type { Db } from "~/db.server";
import { startSession } from "~/domain/identity/index.server";
import type { Role } from "~/domain/identity/shared";
import { clientAddressContext } from "~/http/client-address";
import { readCookie, setCookie } from "./cookies";
import { sessionCookie, sessionTokenOf } from "./session-cookie";

const KNOWN_COOKIE = "gw_known";
const ONE_YEAR_SECONDS = 31_536_000;
const MOST_PEOPLE = 8;

/** What signing somebody in leaves behind: cookies for the answer, and whether they had signed in in this browser before. */
export type Begun = { cookies: string[]; knownBrowser: boolean };

/**
 * Signs somebody in in the browser of a request, in place of whoever was. The caller has made sure that it is them, and
 * puts the cookies into its answer.
 */
export async function beginSession(
  db: Db,
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  person: { id: number; role: Role },
): Promise<Begun> {
  const { token } = await startSession(db, {
    userId: person.id,
    role: person.role,
    userAgent: request.headers.get("user-agent") ?? "",
    address: context.get(clientAddressContext),
    replaces: sessionTokenOf(request),
  });
  const mark = markOf(person.id);
  const marks = (readCookie(request, KNOWN_COOKIE) ?? "").split(".").filter((known) => known !== "");
  const kept = [mark, ...marks.filter((known) => known !== mark)].slice(0, MOST_PEOPLE);
  const known = setCookie(KNOWN_COOKIE, kept.join("."), { maxAgeSeconds: ONE_YEAR_SECONDS });
  return { cookies: [sessionCookie(token), known], knownBrowser: marks.includes(mark) };
}

/** Tells that a person has signed in here, and to nobody else who. */
function markOf(userId: number): string {
  return createHmac("sha256", config().secrets[0] ?? "")
    .update(`known:${userId}`)
    .digest("base64url")
    .slice(0, 16);
}
