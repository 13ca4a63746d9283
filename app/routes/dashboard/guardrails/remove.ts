import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { GuardrailRemovalForm } from "./guardrail-form.schema";
import { changeHolder, pageOf } from "./holder.server";

const remove = portalEndpoint({
  allow: "member",
  page: "/dashboard/guardrails",
  POST: {
    body: GuardrailRemovalForm,
    run: async ({ actor, body: { id, ...asked } }) => {
      await changeHolder(db(), actor, { ...asked, change: { kind: "remove", id } });
      return done({ to: pageOf(asked), toast: "guardrails:done.removed", answer: { id } });
    },
  },
});

export const loader = remove;
export const action = remove;
