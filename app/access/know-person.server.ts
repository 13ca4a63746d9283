import type { MiddlewareFunction } from "react-router";
import { db } from "~/db.server";
import { personOfSession } from "~/domain/identity/index.server";
import { type Known, knownContext } from "./actor.server";
import { chooseLanguage, languageContext } from "./language.server";
import { noSessionCookie, sessionTokenOf } from "./session-cookie";

/**
 * Finds out, once for every request, who sent it and in which language to answer. Whoever is signed in gets answers that
 * no cache keeps; a browser with a session that has ended forgets it.
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
    // Pages for everybody are answered all the same; who needs the person throws it.
    return { problem: error };
  }
}
