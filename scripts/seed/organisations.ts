import { bootstrap } from "~/bootstrap.server";
import type { Config } from "~/config.server";
import { inTransaction } from "~/connection/bus.server";
import { db } from "~/connection/db.server";
import { grantFunds, walletOf } from "~/domain/accounting/index.server";
import { atLeast } from "~/domain/accounts/shared";
import { recordAuditEvent } from "~/domain/activity/index.server";
import {
  changeOrganisationGuardrails,
  createDepartment,
  createOrganisation,
  createProject,
  setOrganisationBudget,
  updateSettings,
} from "~/domain/organisations/index.server";
import { addressOf, type CastOrganisation } from "./cast";
import { actorOf, join, leaderOf, type SeededOrganisation } from "./people";
import type { Random } from "./random";

/** Minimum credit ceiling of every organisation's admins, in US dollars. */
const MIN_CREDIT_USD = 50;

export type Setup = { settings: Config; password: string; random: Random; isEmpty: boolean };

/** The output of the first start on a new installation: contains the root admin key; null otherwise. */
export type Created = { organisations: SeededOrganisation[]; banner: string | null };

/**
 * Creates the organisations of the demo, each with its leader, departments and projects. In an empty installation, the
 * first organisation is the operator's, and its first person the owner.
 */
export async function createOrganisations(cast: readonly CastOrganisation[], setup: Setup): Promise<Created> {
  const organisations: SeededOrganisation[] = [];
  let banner: string | null = null;
  for (const part of setup.isEmpty ? cast : cast.map(withoutOperators)) {
    const isOperators = setup.isEmpty && organisations.length === 0;
    if (isOperators) banner = await beginInstallation(part, setup);
    const above = organisations.find(({ cast: { name } }) => name === part.resoldBy)?.id ?? null;
    const id = isOperators ? await onlyOrganisation() : await createBeside(part, above);
    const organisation: SeededOrganisation = { cast: part, id, departments: new Map(), people: [] };
    if (isOperators) organisation.people.push(await ownerOf(organisation));
    else await join(organisation, part.people[0]!, setup);
    organisations.push({ ...organisation, departments: await addPlaces(organisation) });
  }
  return { organisations, banner };
}

async function beginInstallation(part: CastOrganisation, { settings, password }: Setup): Promise<string> {
  const email = addressOf(part.people[0]!.name, part.domain);
  return (await bootstrap({ ...settings, organisationName: part.name, owner: { email, password } })).startupBanner;
}

const onlyOrganisation = async () => (await db().organisation.findFirstOrThrow({ select: { id: true } })).id;

async function ownerOf({ id, cast }: SeededOrganisation) {
  const person = cast.people[0]!;
  const email = addressOf(person.name, cast.domain);
  const { id: userId } = await db().user.update({
    where: { email },
    data: { name: person.name },
    select: { id: true },
  });
  return {
    ...person,
    actor: actorOf({ userId, email, address: "198.51.100.1" }, id, { ...person, departmentId: null }),
  };
}

/** In an existing installation, no person of the demo gets an operator role. */
const withoutOperators = (cast: CastOrganisation): CastOrganisation => ({
  ...cast,
  people: cast.people.map((person) =>
    atLeast(person.role, "platform_admin") ? { ...person, role: "org_admin" } : person,
  ),
});

function createBeside({ name, billingExempt, grantUsd }: CastOrganisation, resellerId: number | null): Promise<number> {
  return inTransaction(db(), async (tx) => {
    const { id, slug } = await createOrganisation(tx, { name, billingExempt, resellerId });
    await tx.organisation.update({
      where: { id },
      data: { creditCeilingNanoUsd: BigInt(Math.max(grantUsd, MIN_CREDIT_USD)) * 1_000_000_000n },
      select: { id: true },
    });
    await recordAuditEvent(tx, {
      by: { userId: null, label: "operator" },
      action: "organisation.create",
      target: { kind: "organisation", id, label: name },
      organisationId: id,
      after: { name, slug, billingExempt },
    });
    return id;
  });
}

async function addPlaces(organisation: SeededOrganisation): Promise<Map<string, number>> {
  const { id, cast } = organisation;
  const actor = leaderOf(organisation);
  const departments = new Map<string, number>();
  for (const name of cast.departments) departments.set(name, (await createDepartment(db(), actor, id, name)).id);
  for (const name of cast.projects) await createProject(db(), actor, { name, description: `${name} of ${cast.name}` });
  if (cast.monthlyBudgetUsd !== null)
    await setOrganisationBudget(db(), actor, id, { limitNanoUsd: BigInt(cast.monthlyBudgetUsd) * 1_000_000_000n });
  if (cast.monthlyBudgetUsd !== null)
    await changeOrganisationGuardrails(db(), actor, id, {
      kind: "add",
      rule: { name: "Payment data", kind: "personal", data: ["card", "iban"], on: "both", action: "redact" },
    });
  if (cast.brand) await updateSettings(db(), actor, id, { ...cast.brand, supportEmail: `help@${cast.domain}` });
  return departments;
}

/** Credits the wallet of a paying organisation, once for each `occasion`. */
export async function grant({ id, cast }: SeededOrganisation, occasion: string): Promise<void> {
  const walletId = await walletOf(db(), { kind: "organisation", id });
  if (cast.grantUsd === 0 || walletId === null) return;
  await grantFunds(db(), {
    walletId,
    amountNanoUsd: BigInt(cast.grantUsd) * 1_000_000_000n,
    idempotencyKey: `demo:${id}:${occasion}`,
    actor: "operator",
    memo: `Demo credit, ${occasion}`,
  });
}
