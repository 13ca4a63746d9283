import { useTranslation } from "react-i18next";
import { Link, useSearchParams } from "react-router";
import { addressWith } from "~/ui/list-address";
import type { Meant } from "./list-query.server";

const LIST = "people-found";

/**
 * Asks for a person by name or address. Without script it is a plain field, and several who are meant are chosen from the page that
 * answers; the page's script offers them while one types, in the browser's own list.
 */
export function PersonField({ meant }: { meant: Meant | null }) {
  const { t } = useTranslation("activity");
  const [query] = useSearchParams();
  const value = query.get("person") ?? meant?.name ?? "";
  return (
    <>
      <input
        key={value}
        type="search"
        name="person"
        list={LIST}
        aria-label={t("filter.actor")}
        title={t("filter.actorHint")}
        placeholder={t("filter.actorHint")}
        defaultValue={value}
        maxLength={200}
        autoComplete="off"
        data-people="/dashboard/search"
        className="field field-small sm:w-56"
      />
      <datalist id={LIST} />
    </>
  );
}

/** The people who can be meant. `as`: what the page is narrowed by then. */
export function Choices({ of: people, as = "actor" }: { of: Meant["choices"]; as?: "actor" | "user" }) {
  const { t } = useTranslation("activity");
  const [query] = useSearchParams();
  return (
    <div role="status" className="mb-4">
      <p className="text-ink-2">{people.length === 0 ? t("filter.nobody") : t("filter.several")}</p>
      <ul className="mt-1.5 flex flex-wrap gap-2">
        {people.map(({ id, name, email }) => (
          <li key={id}>
            <Link
              to={addressWith(query, { person: null, [as]: String(id), after: null })}
              className="button button-small [overflow-wrap:anywhere]"
            >
              {name || email} {name ? <span className="text-ink-3">{email}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
