import { db } from "~/connection/db.server";
import { setBudget } from "~/domain/accounting/index.server";
import { type Actor, atLeast } from "~/domain/accounts/shared";
import { decideAutoTopupPolicy } from "~/domain/billing/index.server";
import { revokeActorKey, rotateActorKey, suspendActorKey } from "~/domain/keys/index.server";
import {
  addMember,
  archiveProject,
  createInvite,
  listProjects,
  revokeInvite,
} from "~/domain/organisations/index.server";
import { setBillingConfig, setStatus } from "~/domain/people/index.server";
import { addressOf } from "./cast";
import { CHATTING, personalKey, type SeededKey, serviceKey } from "./keys";
import { grantPromotions, payByCard, saveCard, tellAlerts, turnAlertsOn } from "./money";
import { grant } from "./organisations";
import { join, leaderOf, type SeededOrganisation, type SeededPerson } from "./people";
import type { Random } from "./random";
import { openReports, runReports, saveReports } from "./reports";
import { addSupplier, cutPrices, keyTroubles, planPrices } from "./suppliers";

/** An event at a fraction of the history: 0 is its start, 1 its end. */
export type Happening = { at: number; does: () => Promise<unknown> };

type Scene = { organisations: readonly SeededOrganisation[]; keys: SeededKey[]; random: Random; password: string };
const usd = (amount: number) => BigInt(Math.round(amount * 100)) * 10_000_000n;

/** Returns the events of the demo besides requests. New people join in the first third, with a key. */
export function storyOf(scene: Scene): Happening[] {
  return [
    ...scene.organisations.flatMap((organisation) => partOf(scene, organisation)),
    ...gifts(scene),
    ...suppliers(scene),
    ...ALERTS,
    ...REPORTS,
  ];
}

const partOf = (scene: Scene, organisation: SeededOrganisation): Happening[] => [
  ...arrivals(scene, organisation),
  ...applications(scene, organisation),
  ...money(organisation),
  ...changes(scene, organisation),
  ...lately(organisation),
];

/** Evaluates budgets often enough that alerts are recorded close to the time when a threshold is crossed. */
const ALERTS: readonly Happening[] = Array.from({ length: 40 }, (_, index) => ({
  at: 0.1 + index * 0.022,
  does: tellAlerts,
}));

/** Often enough that a daily report of a long history runs every day or two. */
const REPORTS: readonly Happening[] = Array.from({ length: 32 }, (_, index) => ({
  at: 0.32 + index * 0.02,
  does: runReports,
}));

/** The operator gives promotions to the first paying organisation. */
function gifts({ organisations }: Scene): Happening[] {
  const [giver] = organisations;
  const to = organisations.find(({ cast }) => !cast.billingExempt);
  if (!giver || !to || !atLeast(leaderOf(giver).role, "platform_admin")) return [];
  return [{ at: 0.25, does: () => grantPromotions(giver, to) }];
}

/** The operator adds a supplier, changes its prices, and drains it. */
function suppliers({ organisations }: Scene): Happening[] {
  const leader = organisations.map(leaderOf).find(({ role }) => atLeast(role, "platform_admin"));
  if (leader === undefined) return [];
  let supplierId = 0;
  const add = async () => {
    supplierId = await addSupplier(leader);
  };
  return [
    { at: 0.04, does: add },
    { at: 0.5, does: () => cutPrices(leader, supplierId) },
    ...keyTroubles(leader, () => supplierId),
    { at: 0.9985, does: () => planPrices(leader, supplierId) },
  ];
}

function arrivals(scene: Scene, organisation: SeededOrganisation): Happening[] {
  const { random, keys } = scene;
  const coming = organisation.cast.people.slice(1);
  const first: Happening = {
    at: 0.002,
    does: async () => keys.push(await personalKey(leaderOf(organisation), random)),
  };
  const others = coming.map((cast, index) => ({
    at: 0.004 + (0.3 * index) / coming.length,
    does: async () => {
      const person = await join(organisation, cast, scene);
      if (cast.role !== "viewer") keys.push(await keyOf(person, scene));
    },
  }));
  return [first, ...others];
}

/** Some keys demonstrate limits: a small budget, a rate limit, a list of models. */
function keyOf({ name, actor }: SeededPerson, { random }: Scene): Promise<SeededKey> {
  if (name === "Marta Nowak")
    return personalKey(actor, random, { budget: { limitNanoUsd: usd(0.6), period: "monthly" } });
  if (name === "Sven Olsen") return personalKey(actor, random, { rateLimitRpm: 120, allowedRegions: [] });
  if (name === "Liam O'Connor")
    return personalKey(actor, random, { budget: { limitNanoUsd: usd(2), period: "daily" } });
  return personalKey(actor, random, {});
}

function applications(scene: Scene, organisation: SeededOrganisation): Happening[] {
  const { keys } = scene;
  const leader = leaderOf(organisation);
  const make = (wish: Parameters<typeof serviceKey>[1], use: Parameters<typeof serviceKey>[2]) => async () =>
    keys.push(await serviceKey(leader, wish, use));
  const [department] = organisation.departments.values();
  const production = async () => {
    const projectId = await firstProject(organisation);
    keys.push(await serviceKey(leader, { name: "production", projectId }, { perHour: 5, taste: CHATTING }));
  };
  return [
    { at: 0.01, does: production },
    {
      at: 0.05,
      does: make(
        { name: "search index", departmentId: department },
        {
          perHour: 3,
          taste: [
            ["embed", 4],
            ["rerank", 2],
          ],
        },
      ),
    },
    {
      at: 0.1,
      does: make(
        { name: "hotline", rateLimitRpm: 2, metadata: { team: "support" } },
        {
          perHour: 2.5,
          taste: [
            ["transcribe", 2],
            ["speak", 1],
          ],
        },
      ),
    },
    {
      at: 0.15,
      does: make(
        { name: "website chat", allowedModels: ["sandbox-chat"] },
        { perHour: 1.5, taste: CHATTING, forbidden: ["sandbox-agent", "gpt-image"] },
      ),
    },
    {
      at: 0.2,
      does: make({ name: "night batch", departmentId: department }, { perHour: 2, taste: [["messages", 1]] }),
    },
    { at: 0.02, does: make({ name: "automation", kind: "admin" }, { perHour: 0 }) },
  ];
}

function money(organisation: SeededOrganisation): Happening[] {
  const { id, departments, people } = organisation;
  const limitDepartments = async () => {
    for (const departmentId of departments.values())
      await setBudget(
        db(),
        { kind: "department", id: departmentId, organisationId: id },
        { limitNanoUsd: usd(90), period: "monthly" },
      );
  };
  const limit = { mode: "inherit", limitNanoUsd: usd(15), period: "monthly" } as const;
  const limitPeople = async () => {
    for (const { role, actor } of people.filter((_, index) => index % 2 === 1))
      if (role === "member") await setBillingConfig(db(), leaderOf(organisation), actor.userId, limit);
  };
  return [
    { at: 0, does: () => grant(organisation, "first month") },
    { at: 0.5, does: () => grant(organisation, "second month") },
    ...(organisation.cast.billingExempt
      ? []
      : [
          ...[0.2, 0.45, 0.7].map((at, index) => ({ at, does: () => payByCard(organisation, [25, 50, 100][index]!) })),
          { at: 0.21, does: () => saveCard(organisation) },
        ]),
    { at: 0.08, does: () => turnAlertsOn(organisation) },
    { at: 0.02, does: limitDepartments },
    { at: 0.25, does: () => allowTopups(leaderOf(organisation)) },
    { at: 0.35, does: limitPeople },
  ];
}

/** The operator sets the limits for automatic charges to customers' cards. */
async function allowTopups(leader: Actor): Promise<void> {
  if (!atLeast(leader.role, "platform_admin")) return;
  const bounds = { maxChargeNanoUsd: usd(100), maxDayNanoUsd: usd(200), maxMonthNanoUsd: usd(1_000) };
  await decideAutoTopupPolicy(db(), leader, { version: 0, approved: true, ...bounds });
}

function changes(scene: Scene, organisation: SeededOrganisation): Happening[] {
  const leader = leaderOf(organisation);
  const member = (index: number) => organisation.people.filter(({ role }) => role === "member")[index]!.actor;
  const key = async (name: string) =>
    (await db().apiKey.findFirstOrThrow({ where: { organisationId: organisation.id, name }, select: { id: true } })).id;
  const rotate = async () => {
    const id = await key("production");
    const { secret } = await rotateActorKey(db(), leader, id, { overlapSeconds: 86_400 });
    const known = scene.keys.find((each) => each.id === id);
    if (known) known.secret = secret;
  };
  const pays = async () => {
    const mode = { mode: "own", limitNanoUsd: usd(20), period: "monthly" } as const;
    await setBillingConfig(db(), leader, member(0).userId, mode);
  };
  const gather = async () => {
    const projectId = await firstProject(organisation);
    for (const { actor } of organisation.people.slice(1, 5))
      await addMember(db(), leader, projectId, { id: actor.userId });
  };
  const leaves = async () => {
    const last = organisation.people.filter(({ role }) => role === "member").at(-1);
    if (last && organisation.people.length > 8)
      await setStatus(db(), leader, last.actor.userId, organisation.cast.resoldBy ? "archived" : "suspended");
  };
  return [
    { at: 0.3, does: () => saveReports(organisation) },
    { at: 0.4, does: gather },
    { at: 0.45, does: pays },
    { at: 0.6, does: rotate },
    { at: 0.7, does: async () => revokeActorKey(db(), leader, await key("night batch")) },
    {
      at: 0.8,
      does: async () =>
        archiveProject(db(), leader, await lastProject(organisation), organisation.cast.projects.length > 1),
    },
    { at: 0.85, does: leaves },
    { at: 0.97, does: () => openReports(organisation) },
    { at: 0.9, does: async () => suspendActorKey(db(), leader, await key("hotline")) },
  ];
}

/** Invitations expire after a week, so open ones are from the last days. */
function lately(organisation: SeededOrganisation): Happening[] {
  const leader = leaderOf(organisation);
  const { invitations, domain } = organisation.cast;
  const [departmentId] = organisation.departments.values();
  const invite = (name: string, role: (typeof invitations)[number]["role"]) =>
    createInvite(db(), leader, { email: addressOf(name, domain), role, departmentId });
  return [
    ...invitations.map(({ name, role }, index) => ({ at: 0.95 + index * 0.015, does: () => invite(name, role) })),
    {
      at: 0.985,
      does: async () => revokeInvite(db(), leader, (await invite("Ivo Mistake", "member")).id),
    },
  ];
}

const firstProject = async (organisation: SeededOrganisation) => (await projectsOf(organisation)).at(-1)!.id;
const lastProject = async (organisation: SeededOrganisation) => (await projectsOf(organisation))[0]!.id;

async function projectsOf(organisation: SeededOrganisation) {
  const query = { q: null, state: "all", beforeId: null, limit: 10 } as const;
  const { projects } = await listProjects(db(), leaderOf(organisation), query);
  return projects.filter(({ organisationId }) => organisationId === organisation.id);
}
