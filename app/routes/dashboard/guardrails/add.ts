import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { GuardrailForm } from "./guardrail-form.schema";
import { changeHolder, pageOf } from "./holder.server";

const add = portalEndpoint({
  allow: "member",
  page: "/dashboard/guardrails",
  POST: {
    body: GuardrailForm,
    run: async ({ actor, body: { rule, ...asked } }) => {
      const rules = await changeHolder(db(), actor, { ...asked, change: { kind: "add", rule } });
      return done({
        to: pageOf(asked),
        toast: "guardrails:done.added",
        answer: { id: rules.at(-1)!.id, ...rule },
      });
    },
  },
});

export const loader = add;
export const action = add;
