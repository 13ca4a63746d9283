import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { db } from "~/connection/db.server";
import type { Actor } from "~/domain/accounts/shared";
import type { GuardrailChange, GuardrailWebhook } from "~/domain/guardrails/shared";
import {
  changeKeyGuardrails,
  changeKeyGuardrailWebhook,
  issueKey,
  readKeyGuardrails,
  revokeKey,
  verifyKey,
} from "~/domain/keys/index.server";
import { unseal } from "~/sealing/sealing.server";
import { type Books, openBooks } from "../../../tests/support/accounting";
import { anActor, anOrganisation, aPerson } from "../../../tests/support/administered";
import {
  changeOrganisationGuardrails,
  changeOrganisationGuardrailWebhook,
  deleteOrganisation,
  mergeOrganisations,
} from "./index.server";

let books: Books;
let platform: Actor;
beforeAll(async () => {
  setConfig(readConfig({ GW_SECRET: "a-secret-for-tests-0123456789abcdefgh" }));
  books = await openBooks();
  await books.start({ patienceMs: 0 });
  const home = await anOrganisation({ name: "Operator", billingExempt: true });
  await aPerson(home.id, "owner");
  platform = await anActor(home.id, "platform_admin");
});
afterAll(() => books.close());

const ruleCalled = (name: string): GuardrailChange => ({
  kind: "add",
  rule: { kind: "words", name, on: "both", action: "refuse", words: [name] },
});
const webhookAt = (host: string) =>
  ({ kind: "save", url: `https://${host}/hook`, timeoutMs: 1_000, onFailure: "refuse" }) as const;

/** An organisation with guardrails of its own and on a key of one of its people. */
async function guarded(name: string) {
  const { id } = await anOrganisation({ name });
  const admin = await anActor(id, "org_admin");
  const person = await aPerson(id, "member");
  const key = await issueKey(db(), { organisationId: id, userId: person.id, name: "guarded" });
  await changeOrganisationGuardrails(db(), admin, id, ruleCalled(name));
  await changeOrganisationGuardrailWebhook(db(), admin, id, webhookAt(`${name}.example.com`));
  await changeKeyGuardrails(db(), admin, key.id, ruleCalled(`key of ${name}`));
  const secret = await changeKeyGuardrailWebhook(db(), admin, key.id, webhookAt(`key.${name}.example.com`));
  return { id, admin, key, secret };
}

const secretOf = ({ secrets, place }: GuardrailWebhook) => unseal(secrets[0]!.sealed, place);
const storedWebhook = (id: number) =>
  db().organisation.findUniqueOrThrow({ where: { id }, select: { guardrailWebhook: true } });

test("after a merge a key keeps its guardrails and comes under those of the organisation that stays", async () => {
  const [to, from] = [await guarded("stays"), await guarded("goes")];
  const before = await verifyKey(from.key.secret);
  expect(before.guardrails?.webhooks?.map(({ url }) => url)).toEqual([
    "https://goes.example.com/hook",
    "https://key.goes.example.com/hook",
  ]);
  await mergeOrganisations(db(), platform, {
    targetId: to.id,
    sourceIds: [from.id],
    billingUserId: null,
    roles: new Map(),
  });
  const { guardrails } = await verifyKey(from.key.secret);
  expect(guardrails?.organisation).toMatchObject([{ name: "stays" }]);
  expect(guardrails?.key).toMatchObject([{ name: "key of goes" }]);
  const webhooks = guardrails?.webhooks ?? [];
  expect(webhooks.map(({ url }) => url)).toEqual([
    "https://stays.example.com/hook",
    "https://key.goes.example.com/hook",
  ]);
  expect(webhooks[1] && secretOf(webhooks[1])).toBe(from.secret);
  // The webhook secret of the merged organisation is deleted.
  expect(await storedWebhook(from.id)).toEqual({ guardrailWebhook: null });
  expect(await storedWebhook(to.id)).not.toEqual({ guardrailWebhook: null });
});

test("an organisation that is deleted keeps no secret of its webhook, and its guardrails hold for nobody", async () => {
  const { id } = await anOrganisation({ name: "Ends" });
  await changeOrganisationGuardrailWebhook(db(), platform, id, webhookAt("ends.example.com"));
  await deleteOrganisation(db(), platform, id);
  expect(await storedWebhook(id)).toEqual({ guardrailWebhook: null });
  await expect(changeOrganisationGuardrails(db(), platform, id, ruleCalled("late"))).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a revoked key shows its guardrails and takes no others", async () => {
  const { id, admin, key } = await guarded("revokes");
  await revokeKey(db(), { organisationId: id }, { id: key.id });
  for (const change of [
    () => changeKeyGuardrails(db(), admin, key.id, ruleCalled("late")),
    () => changeKeyGuardrailWebhook(db(), admin, key.id, webhookAt("late.example.com")),
  ])
    await expect(change()).rejects.toMatchObject({ code: "conflict" });
  expect(await readKeyGuardrails(db(), admin, key.id)).toMatchObject({
    ...{ mayChange: false, rules: [{ name: "key of revokes" }], inherited: [{ name: "revokes" }] },
  });
});
