import { z } from "zod";
import type { Sort, SortType } from "~/connection/keyset-store";
import type { BudgetView } from "~/domain/accounting/shared";
import { EmailField, isLine, ROLES } from "~/domain/accounts/shared";
import { issue } from "~/errors/message";

/** One line of visible text. */
const line = (minimum: string, maximum: number) =>
  z.string().trim().min(1, minimum).max(maximum).refine(isLine, issue("problems:textUnshowable"));

export const OrganisationName = line(issue("problems:enterAName"), 120);
export const DepartmentName = line(issue("problems:enterAName"), 80);
export const ProjectName = line(issue("problems:enterAName"), 120);
export const ProjectDescription = z
  .string()
  .trim()
  .max(500)
  .refine((text) => isLine(text.replace(/[\n\r\t]/g, " ")), issue("problems:textUnshowable"));

/** The URL segment of an organisation. */
export const Slug = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?$/, issue("problems:slug"));

/** A host name such as ai.example.com; no port, no path. */
const PortalDomain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?=.*\.)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, issue("problems:hostName"));

const AccentColour = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, issue("problems:colour"));

/** Branding of a reseller's own portal; an empty text removes a setting. */
export const BrandingForm = z.object({
  portal_domain: z.union([z.literal("").transform(() => null), PortalDomain]).optional(),
  brand_name: z.union([z.literal("").transform(() => null), line(issue("problems:enterAName"), 60)]).optional(),
  accent_colour: z.union([z.literal("").transform(() => null), AccentColour]).optional(),
  support_email: z.union([z.literal("").transform(() => null), EmailField]).optional(),
});

/** The roles that an invitation can have. Owners cannot be invited. */
export const INVITED_ROLES = ROLES.filter((role) => role !== "owner");

/** Validity of an invitation link, in days. */
export const INVITE_DAYS = 7;

/** Delivery of a link: emailed, or passed on by an owner or platform admin, which does not prove the address. */
export type InviteDelivery = "mail" | "operator";

export type InviteStatus = "pending" | "accepted" | "revoked" | "expired";

/** An invitation, for people who may invite. */
export type InviteView = {
  id: number;
  email: string;
  role: (typeof ROLES)[number];
  organisationId: number;
  organisation: string;
  departmentId: number | null;
  department: string | null;
  invitedBy: string | null;
  status: InviteStatus;
  delivery: InviteDelivery;
  createdAt: Date;
  expiresAt: Date;
};

/**
 * An organisation in the list of all organisations, with its totals. Amounts are nano-USD; spending counts from the
 * start of the month (UTC).
 */
export type OrganisationView = {
  id: number;
  name: string;
  slug: string;
  billingExempt: boolean;
  people: number;
  admins: number;
  keys: number;
  departments: number;
  projects: number;
  monthlyBudgetNanoUsd: bigint | null;
  budgetHeldNanoUsd: bigint;
  spentNanoUsd: bigint;
  walletNanoUsd: bigint;
  heldNanoUsd: bigint;
  creditLimitNanoUsd: bigint;
  portalDomain: string | null;
  createdAt: Date;
};

/** A department with its counts; `budget` null: it never had one. */
export type DepartmentView = {
  id: number;
  name: string;
  people: number;
  keys: number;
  invites: number;
  budget: BudgetView | null;
};

/** Kinds of data that are removed from a text before it is stored. */
export const REDACTIONS = ["email", "card", "secret"] as const;

/** How an organisation's requests and answers are stored. */
export const ConversationSettings = z.object({
  /** Retention in days. */
  days: z.number().int().min(1).max(365),
  redact: z.array(z.enum(REDACTIONS)),
  /** Words that are removed as well, ignoring case. */
  words: z.array(z.string().min(2).max(100)).max(50),
});
export type ConversationSettings = z.output<typeof ConversationSettings>;

/** The orders of the list of organisations, with the types of their columns. */
export const ORGANISATION_SORTS = {
  created: "int",
  name: "text",
  people: "int",
  keys: "int",
  spent: "bigint",
} as const satisfies Readonly<Record<string, SortType>>;
export type OrganisationSort = Sort<keyof typeof ORGANISATION_SORTS>;
export const NEWEST_ORGANISATIONS: OrganisationSort = { by: "created", descending: true };
