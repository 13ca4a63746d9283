import { z } from "zod";
import { AUDIT_ACTIONS } from "~/domain/activity/shared";
import { Id, orNothing, SearchText } from "~/http/body/fields";
import { choices, defineFilters } from "~/ui/lists/filters";
import type { Meant } from "../search/candidates.server";
import { TARGET_KINDS } from "./actions";
import { PersonField } from "./PersonField";

const Day = z.iso.date().transform((day) => new Date(`${day}T00:00:00Z`));

/** `words`: the name of an action. `scope`: people who see only their own actions have no field for a person. */
type View = { meant: Meant | null; scope: string; words: (action: string) => string };

/** The filters of the audit log. Days are UTC; `until` is inclusive. */
export const ACTIVITY_FILTERS = defineFilters({
  texts: "activity",
  query: {
    action: orNothing(z.string().regex(/^[a-z]+\.[a-z_]{1,40}$/)),
    kind: orNothing(z.string().regex(/^[a-z_]{1,40}$/)),
    actor: orNothing(Id),
    /** A name or address, or a part of one, or a number, as typed; `actor` takes precedence. */
    person: orNothing(SearchText),
    since: orNothing(Day),
    until: orNothing(Day.transform((day) => new Date(day.getTime() + 86_400_000))),
  },
  fields: (t, { meant, scope, words }: View) => {
    const person = { label: t("filter.actor"), text: () => meant?.name ?? "" };
    return {
      action: { label: t("filter.action"), options: choices(AUDIT_ACTIONS, words), text: words },
      kind: { label: t("filter.kind"), options: choices(TARGET_KINDS, (kind) => t(`kinds.${kind}`)) },
      actor: { ...person, field: null },
      person: { ...person, field: scope === "own" ? null : <PersonField meant={meant} /> },
      since: { label: t("filter.since"), type: "date" },
      until: { label: t("filter.until"), type: "date" },
    };
  },
});
