import { useTranslation } from "react-i18next";
import { CandidateChoices, CandidateField } from "../search/CandidateField";
import type { Meant } from "../search/candidates.server";

/** A search field for a person by name or address. */
export function PersonField({ meant }: { meant: Meant | null }) {
  const { t } = useTranslation("activity");
  return (
    <CandidateField
      kind="person"
      name="person"
      label={t("filter.actor")}
      hint={t("filter.actorHint")}
      value={meant?.name ?? ""}
    />
  );
}

/** The people who match the search. `as`: the query parameter that a choice sets. */
export function Choices({ of: people, as = "actor" }: { of: Meant["choices"]; as?: "actor" | "user" }) {
  const { t } = useTranslation("activity");
  return (
    <CandidateChoices of={people} name="person" as={as}>
      {people.length === 0 ? t("filter.nobody") : t("filter.several")}
    </CandidateChoices>
  );
}
