import { type Actor, atLeast, type Role } from "~/domain/accounts/shared";

/** One row of the dashboard's navigation. `label` is a key of the namespace `navigation`. */
export type NavigationRow = {
  to: string;
  label: string;
  /** The group of the row. */
  group: "work" | "money" | "admin" | "account";
  /** Name of a Lucide icon that the shell supports. */
  icon: string;
  /** Minimum role; rows of the group `admin` also require the admin view. */
  least?: Role;
};

export const NAVIGATION: readonly NavigationRow[] = [
  { to: "/dashboard", label: "home", group: "work", icon: "house" },
  { to: "/dashboard/get-started", label: "getStarted", group: "work", icon: "rocket" },
  { to: "/dashboard/keys", label: "keys", group: "work", icon: "key-round" },
  { to: "/dashboard/usage", label: "usage", group: "work", icon: "chart-column" },
  { to: "/dashboard/reports", label: "reports", group: "work", icon: "file-text" },
  { to: "/dashboard/request-log", label: "requestLog", group: "work", icon: "list" },
  { to: "/dashboard/batches", label: "batches", group: "work", icon: "layers" },
  { to: "/dashboard/autorouter", label: "autorouter", group: "work", icon: "route" },
  { to: "/dashboard/models", label: "models", group: "work", icon: "boxes" },
  { to: "/dashboard/playground", label: "playground", group: "work", icon: "terminal", least: "member" },
  { to: "/dashboard/qualitative", label: "quality", group: "work", icon: "badge-check" },
  { to: "/dashboard/guide", label: "guide", group: "work", icon: "book-open" },
  { to: "/dashboard/billing", label: "billing", group: "money", icon: "wallet" },
  { to: "/dashboard/budgets", label: "budgets", group: "money", icon: "gauge" },
  { to: "/dashboard/activity", label: "activity", group: "account", icon: "history" },
  { to: "/dashboard/settings", label: "settings", group: "account", icon: "settings" },
  { to: "/dashboard/admin/users", label: "users", group: "admin", icon: "users", least: "department_admin" },
  {
    to: "/dashboard/admin/organisation",
    label: "organisation",
    group: "admin",
    icon: "building-2",
    least: "org_admin",
  },
  { to: "/dashboard/admin/projects", label: "projects", group: "admin", icon: "folder", least: "department_admin" },
  { to: "/dashboard/guardrails", label: "guardrails", group: "admin", icon: "shield-check", least: "org_admin" },
  {
    to: "/dashboard/admin/conversations",
    label: "conversations",
    group: "admin",
    icon: "messages-square",
    least: "org_admin",
  },
  {
    to: "/dashboard/admin/organisations",
    label: "organisations",
    group: "admin",
    icon: "building-2",
    least: "platform_admin",
  },
  { to: "/dashboard/admin/billing", label: "billingAdmin", group: "admin", icon: "coins", least: "platform_admin" },
  { to: "/dashboard/admin/promotions", label: "promotions", group: "admin", icon: "gift", least: "platform_admin" },
  { to: "/dashboard/admin/models", label: "adminModels", group: "admin", icon: "network", least: "platform_admin" },
  { to: "/dashboard/admin/jobs", label: "jobs", group: "admin", icon: "timer", least: "platform_admin" },
];

/** Returns the rows for an actor in the chosen view. */
export const navigationFor = ({ role, adminMode }: Actor): NavigationRow[] =>
  NAVIGATION.filter(
    ({ group, least: minimum }) =>
      (minimum === undefined || atLeast(role, minimum)) && (group !== "admin" || adminMode),
  );

/** An action of the command palette; `post`: sent as a form to that path. */
export type PaletteActRow = {
  to: string;
  label: "createKey" | "invite" | "adminView" | "ownView";
  post?: true;
};

/** Returns the palette's actions for an actor. */
export function actsFor({ role, adminMode }: Actor): PaletteActRow[] {
  const isAdmin = atLeast(role, "department_admin");
  const acts: (PaletteActRow | false)[] = [
    role !== "viewer" && { to: "/dashboard/keys/new", label: "createKey" },
    isAdmin && adminMode && { to: "/dashboard/admin/users/invite", label: "invite" },
    isAdmin && { to: "/dashboard/toggle-admin-mode", label: adminMode ? "ownView" : "adminView", post: true },
  ];
  return acts.filter((act) => act !== false);
}
