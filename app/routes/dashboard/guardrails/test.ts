import { randomUUID } from "node:crypto";
import type { Toast } from "~/access/flash.server";
import { done, portalEndpoint } from "~/access/portal/endpoint.server";
import { db } from "~/connection/db.server";
import { rateLimitExpression } from "~/domain/accounts/index.server";
import { askWebhook, type Checked, checkTexts, readyRules } from "~/domain/guardrails/index.server";
import type { GuardrailHolder, WebhookVerdict } from "~/domain/guardrails/shared";
import { GuardrailTestForm } from "./guardrail-form.schema";
import { pageOf, readHeld } from "./holder.server";

type Held = Awaited<ReturnType<typeof readHeld>>;
type Answered = WebhookVerdict & { by: GuardrailHolder["kind"] };

/**
 * Tests a text against the guardrails of a key or an organisation, with the same code that checks requests. Calls the
 * webhooks only on request, with the text after the guardrails. Stores nothing.
 */
const test = portalEndpoint({
  allow: "member",
  page: "/dashboard/guardrails",
  POST: {
    body: GuardrailTestForm,
    run: async ({ actor, body: { sample, side, webhook, ...asked } }) => {
      const guardrails = await readHeld(db(), actor, asked);
      await rateLimitExpression(db(), actor);
      const { holder, rules, inherited } = guardrails;
      const all = holder.kind === "key" ? { organisation: inherited, key: rules } : { organisation: rules, key: [] };
      const checked = await checkTexts((await readyRules(all))[side], { texts: [sample], side });
      const { refusedBy, texts, hits } = checked;
      const refused = refusedBy === null ? null : refusedBy === "work" ? "work" : refusedBy.name;
      const isAsked = webhook && side === "input" && refused === null;
      const verdicts = isAsked ? await askAll(guardrails, texts) : [];
      return done({
        to: `${pageOf(asked)}#try`,
        toast: verdicts.length > 0 ? toastOfVerdicts(verdicts) : toastOf(checked),
        answer: { refused_by: refused, text: refused === null ? texts[0] : null, hits, webhooks: verdicts },
      });
    },
  },
});

/** Calls the webhooks one after another, as for a request. */
async function askAll({ webhook, inheritedWebhook, publicId, organisationId }: Held, texts: string[]) {
  const verdicts: Answered[] = [];
  for (const one of [inheritedWebhook, webhook]) {
    if (one === null) continue;
    const verdict = await askWebhook(one, {
      id: `test_${randomUUID()}`,
      isTest: true,
      endpoint: "chat/completions",
      model: "test",
      stream: false,
      key: publicId,
      organisationId,
      texts,
    });
    verdicts.push({ by: one.by, ...verdict });
    if (verdict.action === "refuse") break;
  }
  return verdicts;
}

const MAX_SHOWN = 300;

function toastOfVerdicts(verdicts: readonly Answered[]): Toast {
  const { action, reason, problem, ms } =
    verdicts.find((one) => one.action === "refuse" || one.problem) ?? verdicts[0]!;
  const kind = action === "refuse" || problem !== null ? "bad" : "good";
  const why = problem ?? reason;
  return why === null
    ? { kind, text: `guardrails:test.webhook.${action}`, values: { ms } }
    : { kind, text: `guardrails:test.webhookWhy.${action}`, values: { ms, why } };
}

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
