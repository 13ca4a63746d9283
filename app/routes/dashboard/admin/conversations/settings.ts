import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { changeConversationSettings } from "~/domain/conversations/index.server";
import { REDACTIONS } from "~/domain/organisations/shared";
import { ownOrganisation } from "../organisation/own-organisation";
import { ConversationSettingsForm } from "./settings.schema";

const PAGE = "/dashboard/admin/conversations";

const settings = portalEndpoint({
  allow: "org_admin",
  page: PAGE,
  POST: {
    body: ConversationSettingsForm,
    run: async ({ actor, body }) => {
      const { stored, days, words } = body;
      const redact = REDACTIONS.filter((kind) => body[`redact_${kind}`]);
      const organisationId = ownOrganisation(actor, body.org_id);
      await changeConversationSettings(db(), actor, organisationId, stored ? { days, redact, words } : null);
      return done({
        to: PAGE,
        toast: stored ? "conversations:settings.on" : "conversations:settings.off",
        answer: { org_id: organisationId, stored, ...(stored ? { days, redact, words: words.length } : {}) },
      });
    },
  },
});

export const loader = settings;
export const action = settings;
