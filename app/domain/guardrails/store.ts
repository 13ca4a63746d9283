import type { Db } from "~/connection/db.server";
import { Prisma } from "~/generated/prisma/client";
import { SEALED_PREFIX } from "~/sealing/sealing.server";
import type { GuardrailHolder, GuardrailRule, StoredGuardrailWebhook } from "./shared";

/** Guardrails are columns in the row of their holder, with the same names. */
const TABLES: Readonly<Record<GuardrailHolder["kind"], Prisma.Sql>> = {
  organisation: Prisma.raw("organisation"),
  key: Prisma.raw("api_key"),
};

/** Returns the stored rules and the stored webhook. */
export async function findGuardrails(
  db: Db,
  { kind, id }: GuardrailHolder,
): Promise<{ rules: unknown; webhook: unknown }> {
  const [row] = await db.$queryRaw<{ rules: unknown; webhook: unknown }[]>`
    SELECT guardrails AS rules, guardrail_webhook AS webhook FROM ${TABLES[kind]} WHERE id = ${id}::int`;
  return row!;
}

export async function storeRules(db: Db, { kind, id }: GuardrailHolder, rules: GuardrailRule[]): Promise<void> {
  await db.$executeRaw`UPDATE ${TABLES[kind]} SET guardrails = ${JSON.stringify(rules)}::jsonb WHERE id = ${id}::int`;
}

/** Null removes the webhook. */
export async function storeWebhook(
  db: Db,
  { kind, id }: GuardrailHolder,
  webhook: StoredGuardrailWebhook | null,
): Promise<void> {
  await db.$executeRaw`
    UPDATE ${TABLES[kind]} SET guardrail_webhook = ${webhook && JSON.stringify(webhook)}::jsonb WHERE id = ${id}::int`;
}

/** Webhooks with an unsealed address. */
export const findWebhooksInTheClear = (
  db: Db,
  kind: GuardrailHolder["kind"],
): Promise<{ id: number; webhook: unknown }[]> =>
  db.$queryRaw`
    SELECT id, guardrail_webhook AS webhook FROM ${TABLES[kind]}
     WHERE guardrail_webhook ->> 'url' <> '' AND NOT starts_with(guardrail_webhook ->> 'url', ${SEALED_PREFIX}::text)`;

/** Replaces a stored webhook unless it has changed. Returns the number of updated rows: one or zero. */
export const replaceWebhook = (
  db: Db,
  { kind, id }: GuardrailHolder,
  { from, to }: { from: unknown; to: StoredGuardrailWebhook },
): Promise<number> =>
  db.$executeRaw`
    UPDATE ${TABLES[kind]} SET guardrail_webhook = ${JSON.stringify(to)}::jsonb
     WHERE id = ${id}::int AND guardrail_webhook = ${JSON.stringify(from)}::jsonb`;
