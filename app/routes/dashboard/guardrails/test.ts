import type { Toast } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/db.server";
import { type Checked, checkTexts, rulesFor } from "~/domain/guardrails/index.server";
import { GuardrailTestForm } from "./guardrail-form.schema";
import { pageOf, readHolder } from "./holder.server";

/** Tries the guardrails that hold for a key or an organisation on a text, by the code that checks requests. Nothing is stored. */
const test = portalEndpoint({
  allow: "member",
  page: "/dashboard/guardrails",
  POST: {
    body: GuardrailTestForm,
    run: async ({ actor, body: { sample, side, ...asked } }) => {
      const { holder, rules, inherited } = await readHolder(db(), actor, asked);
      const all = holder.kind === "key" ? { organisation: inherited, key: rules } : { organisation: rules, key: [] };
      const checked = await checkTexts(rulesFor(all, side), { texts: [sample], side });
      const { refusedBy, texts, hits } = checked;
      const refused = refusedBy === null ? null : refusedBy === "work" ? "work" : refusedBy.name;
      return done({
        to: `${pageOf(asked)}#try`,
        toast: toastOf(checked),
        answer: { refused_by: refused, text: refused === null ? texts[0] : null, hits },
      });
    },
  },
});

const MAX_SHOWN = 300;

function toastOf({ refusedBy, texts, hits }: Checked): Toast {
  if (refusedBy !== null)
    return {
      kind: "bad",
      text: "guardrails:test.refused",
      values: { name: refusedBy === "work" ? "–" : refusedBy.name },
    };
  if (hits.length === 0) return { kind: "good", text: "guardrails:test.nothing" };
  const names = hits.map(({ name, count }) => `${name} × ${count}`).join(", ");
  return { kind: "good", text: "guardrails:test.found", values: { names, text: texts[0]!.slice(0, MAX_SHOWN) } };
}

export const loader = test;
export const action = test;
