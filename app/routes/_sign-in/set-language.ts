import { z } from "zod";
import { actorOf } from "~/access/actor.server";
import { languageCookie } from "~/access/language.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { cameFrom, safeNext } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { changePreferences } from "~/domain/accounts/index.server";
import { LANGUAGES } from "~/i18n/languages";

const SetLanguageForm = z.object({ language: z.enum(LANGUAGES), next: z.string().max(2_000).optional() });

/** Stores the language in this browser, and in the profile of a signed-in person. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/",
  POST: {
    body: SetLanguageForm,
    async run({ body, request, context }) {
      const { language, next } = body;
      const actor = actorOf(context);
      if (actor !== null) await changePreferences(db(), actor, { language });
      return done({
        to: safeNext(next, cameFrom(request, "/")),
        cookies: [languageCookie(language)],
        answer: { language },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
