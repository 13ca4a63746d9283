import { useTranslation } from "react-i18next";
import { href } from "react-router";
import { z } from "zod";
import { refusedFormOf, unstoredSecretOf } from "~/access/flash.server";
import { pageLoader } from "~/access/portal/page-loader.server";
import { db } from "~/connection/db.server";
import type { GuardrailRule } from "~/domain/guardrails/shared";
import { Id } from "~/http/body/fields";
import { Button } from "~/ui/Button";
import { type Column, DataTable } from "~/ui/lists/DataTable";
import type { PageHandle } from "~/ui/page-handle";
import { Badge, EmptyState, PageHeader, Section } from "~/ui/page-parts";
import { Hidden } from "../admin/Hidden";
import type { Route } from "./+types/page";
import { AddForm, TestForm } from "./GuardrailForms";
import { readHolder, secretKind } from "./holder.server";
import { WebhookCard } from "./WebhookCard";

export const handle: PageHandle = { hydrate: false };

export const loader = pageLoader(
  { allow: "member", query: z.object({ key: Id.optional() }) },
  async ({ actor, query, context }) => {
    const view = await readHolder(db(), actor, { key_id: query.key });
    const unstoredSecret = unstoredSecretOf(context, actor);
    return {
      ...view,
      secret: view.webhook !== null && unstoredSecret?.kind === secretKind(view.holder) ? unstoredSecret.secret : null,
      refused: refusedFormOf(context, (action) => action.startsWith("/dashboard/guardrails/")),
    };
  },
);

type View = Route.ComponentProps["loaderData"];

export default function Guardrails({ loaderData: view }: Route.ComponentProps) {
  const { t } = useTranslation("guardrails");
  const { holder, rules, inherited, mayChange } = view;
  const isKey = holder.kind === "key";
  const keyPage = href("/dashboard/keys/:keyId", { keyId: String(holder.id) });
  return (
    <>
      <PageHeader
        title={t("title")}
        sub={isKey ? t("subtitle.key", { name: holder.name }) : t("subtitle.organisation", { name: holder.name })}
        {...(isKey ? { back: { to: keyPage, label: holder.name } } : {})}
      />
      <Section title={isKey ? t("rules.key") : t("rules.organisation")} flush={rules.length > 0}>
        <Rules {...{ view, rules, name: "guardrails", isRemovable: mayChange }} />
      </Section>
      {inherited.length === 0 ? null : (
        <Section title={t("rules.inherited")} flush>
          <Rules {...{ view, rules: inherited, name: "inherited", isRemovable: false }} />
        </Section>
      )}
      {mayChange ? <AddForm view={view} /> : null}
      <WebhookCard view={view} />
      <TestForm view={view} />
    </>
  );
}

type RulesProps = { view: View; rules: GuardrailRule[]; name: string; isRemovable: boolean };

function Rules({ view, rules, name, isRemovable }: RulesProps) {
  const { t } = useTranslation("guardrails");
  const kinds = { refuse: "bad", redact: "info", flag: "plain" } as const;
  const columns: Column<GuardrailRule>[] = [
    { id: "name", header: t("col.name"), wrap: true, cell: (rule) => rule.name },
    { id: "kind", header: t("col.kind"), cell: ({ kind }) => t(`kind.${kind}`) },
    {
      id: "what",
      header: t("col.what"),
      wrap: true,
      cell: (rule) => <span className="mono break-all">{wanted(rule, (data) => t(`data.${data}`))}</span>,
    },
    { id: "on", header: t("col.on"), cell: ({ on }) => t(`on.${on}`) },
    {
      id: "action",
      header: t("col.action"),
      cell: ({ action }) => <Badge kind={kinds[action]}>{t(`action.${action}`)}</Badge>,
    },
  ];
  if (isRemovable) columns.push({ id: "remove", header: "", cell: (rule) => <Remove view={view} rule={rule} /> });
  return (
    <DataTable
      name={name}
      caption={t("title")}
      rows={rules}
      rowKey={({ id }) => id}
      columns={columns}
      empty={<EmptyState title={t("empty")}>{t("emptyText")}</EmptyState>}
    />
  );
}

/** The matching criteria of a rule, in one line. */
function wanted(rule: GuardrailRule, nameOf: (data: "email" | "phone" | "card" | "iban") => string): string {
  switch (rule.kind) {
    case "words":
      return rule.words.join(", ");
    case "pattern":
      return rule.pattern;
    default:
      return rule.data.map(nameOf).join(", ");
  }
}

/** One form per rule, so that it works without script. */
function Remove({ view: { holder }, rule }: { view: View; rule: GuardrailRule }) {
  const { t } = useTranslation("guardrails");
  return (
    <form method="post" action={href("/dashboard/guardrails/remove")}>
      <input type="hidden" name="id" value={rule.id} />
      <input type="hidden" name={holder.kind === "key" ? "key_id" : "org_id"} value={holder.id} />
      <Button small>
        {t("remove")}
        <Hidden> {rule.name}</Hidden>
      </Button>
    </form>
  );
}
