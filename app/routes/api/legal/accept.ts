import { personOf } from "~/access/actor.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { safeNext } from "~/access/safe-next";
import { db } from "~/connection/db.server";
import { acceptLegal } from "~/domain/accounts/index.server";
import { LegalForm } from "~/domain/accounts/shared";
import { apiError } from "~/errors/app-error";
import { currentLegalVersion } from "~/legal/index.server";

/** Records that the current user accepts the current legal documents. Until then they can use nothing else. */
const endpoint = portalEndpoint({
  allow: "anyone",
  page: "/account/terms",
  POST: {
    body: LegalForm,
    async run({ context, body }) {
      const person = personOf(context);
      if (person === null) throw apiError("authentication_required");
      const { userId, address } = person.actor;
      if (body.version !== undefined && body.version !== currentLegalVersion()) throw apiError("conflict");
      const { current, acceptedAt } = await acceptLegal(db(), { userId, address });
      return done({
        to: safeNext(body.next, "/dashboard"),
        answer: { accepted: true, current_version: current, accepted_at: acceptedAt },
      });
    },
  },
});
export const loader = endpoint;
export const action = endpoint;
