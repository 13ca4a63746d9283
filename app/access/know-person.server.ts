import type { MiddlewareFunction } from "react-router";
import { db } from "~/connection/db.server";
import { personOfSession } from "~/domain/accounts/index.server";
import { type Known, knownContext } from "./actor.server";
import { chooseLanguage, languageContext } from "./language.server";
import { noSessionCookie, sessionTokenOf } from "./session-cookie";

/**
 * Determines, once for every request, its sender and the language of the response. Responses to signed-in people are
 * not cached. The cookie of an ended session is removed.
 */
export const knowPerson: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const token = sessionTokenOf(request);
  const known = await lookUp(token);
  context.set(knownContext, known);
  const person = "person" in known ? known.person : null;
  context.set(languageContext, chooseLanguage(request, person?.actor.language ?? null));
  const response = await next();
  if (token !== null) {
    response.headers.set("cache-control", "no-store");
    const ended = "person" in known && person === null;
    if (ended && !response.headers.has("set-cookie")) response.headers.append("set-cookie", noSessionCookie());
  }
  return response;
};

async function lookUp(token: string | null): Promise<Known> {
  if (token === null) return { person: null };
  try {
    return { person: await personOfSession(db(), token) };
  } catch (error) {
    // Public pages still work; code that needs the person throws this error.
    return { problem: error };
  }
}
