import { z } from "zod";
import { ROLES, USER_STATUSES } from "~/domain/accounts/shared";
import { PEOPLE_SORTS } from "~/domain/people/shared";
import { Id, orNothing, SearchText, Usd } from "~/http/body/fields";
import { sortField } from "~/http/body/list-order";
import { type Choice, choices, defineFilters, named, unseen } from "~/ui/lists/filters";

type Named = readonly { id: number; name: string }[];
type View = { organisations: Named; departments: Named; termsVersion: string };

const SETTINGS = ["set", "none"] as const;

/** The filters of the list of people, and its order. */
export const PEOPLE_FILTERS = defineFilters({
  texts: "admin",
  query: {
    q: orNothing(SearchText),
    org: orNothing(Id),
    department: orNothing(z.union([z.literal("none").transform(() => 0), Id])),
    role: orNothing(z.enum(ROLES)),
    status: orNothing(z.enum(USER_STATUSES)),
    billing: orNothing(z.enum(["exempt", "inherit", "own"])),
    budget: orNothing(z.enum(SETTINGS)),
    credit: orNothing(z.enum(SETTINGS)),
    keys: orNothing(z.enum(["some", "none"])),
    linked: orNothing(z.enum(["idp-a", "idp-b", "none"])),
    terms: orNothing(z.string().regex(/^[\w.-]{1,40}$/)),
    seen: orNothing(z.enum(["1d", "7d", "30d", "never"])),
    spent: orNothing(Usd),
    sort: sortField(PEOPLE_SORTS),
  },
  fields: (t, { organisations, departments, termsVersion }: View) => {
    const none: Choice = ["none", t("people.filter.noDepartment")];
    const department = named(departments);
    const setOrNot = choices(SETTINGS, (value) => t(`people.filter.${value === "set" ? "set" : "notSet"}`));
    const more = true;
    return {
      q: { label: t("people.searchHint"), chip: t("people.col.person"), wide: true },
      org: { ...named(organisations), label: t("people.filter.organisation") },
      department: {
        ...department,
        label: t("people.filter.department"),
        options: [none, ...department.options],
        text: (value) => (value === "none" ? none[1] : department.text(value)),
      },
      role: { label: t("people.filter.role"), options: choices(ROLES, (role) => t(`roles.${role}`)) },
      status: {
        label: t("people.filter.status"),
        options: choices(USER_STATUSES, (status) => t(`statuses.${status}`)),
      },
      sort: unseen(true),
      billing: {
        label: t("people.filter.billing"),
        options: [
          ["exempt", t("people.filter.billingExempt")],
          ["inherit", t("people.filter.billingInherit")],
          ["own", t("people.filter.billingOwn")],
        ],
        more,
      },
      budget: { label: t("people.filter.budget"), options: setOrNot, more },
      credit: { label: t("people.filter.credit"), options: setOrNot, more },
      keys: {
        label: t("people.filter.keys"),
        options: [
          ["some", t("people.filter.withKeys")],
          ["none", t("people.filter.withoutKeys")],
        ],
        more,
      },
      linked: {
        label: t("people.filter.linked"),
        options: [
          ["idp-a", "idp-a"],
          ["idp-b", "idp-b"],
          ["none", t("people.filter.passwordOnly")],
        ],
        more,
      },
      terms: {
        label: t("people.filter.terms"),
        options: [
          ["none", t("people.filter.termsNone")],
          [termsVersion, t("people.filter.termsCurrent", { version: termsVersion })],
        ],
        text: (value) => (value === "none" ? t("people.filter.termsNone") : value),
        more,
      },
      seen: {
        label: t("people.filter.seen"),
        options: [
          ["1d", t("people.filter.seen1d")],
          ["7d", t("people.filter.seen7d")],
          ["30d", t("people.filter.seen30d")],
          ["never", t("common.never")],
        ],
        more,
      },
      spent: { label: t("people.filter.spent"), type: "text", more },
    };
  },
});
