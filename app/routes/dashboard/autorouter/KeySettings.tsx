import { useTranslation } from "react-i18next";
import { href, Link, useSearchParams } from "react-router";
import type { KeyAutorouter } from "~/domain/keys/index.server";
import { DataTable } from "~/ui/lists/DataTable";
import { addressWith } from "~/ui/lists/list-address";
import { Badge, EmptyState, Section } from "~/ui/page-parts";
import { useAlgorithmName } from "./use-algorithm-name";
import type { AutorouterView } from "./view.server";

/** The setting in effect for each key, and its source: the newest keys, or as many as the form offers. */
export function KeySettings({ view: { keys: all, keysShown: keys } }: { view: AutorouterView }) {
  const { t } = useTranslation("autorouter");
  const [query] = useSearchParams();
  const nameOf = useAlgorithmName();
  const reason = (from: KeyAutorouter["effective"]["algorithmFrom"]) => (
    <span className="text-ink-3">{t(`from.${from}`)}</span>
  );
  return (
    <Section title={t("keys.title")} flush={keys.length > 0} id="keys">
      <DataTable
        name="autorouter-keys"
        caption={t("keys.title")}
        rows={keys}
        rowKey={({ id }) => id}
        columns={[
          {
            id: "name",
            header: t("keys.name"),
            cell: ({ id, name }) => (
              <Link
                to={href("/dashboard/keys/:keyId", { keyId: String(id) })}
                className="font-strong hover:text-accent"
              >
                {name}
              </Link>
            ),
          },
          { id: "owner", header: t("keys.owner"), optional: true, cell: ({ owner }) => owner ?? "–" },
          {
            id: "algorithm",
            header: t("title"),
            cell: ({ effective: { algorithm, algorithmFrom } }) => (
              <span className="flex flex-wrap items-center gap-2">
                <Badge kind={algorithm === "off" ? "plain" : "good"}>{nameOf(algorithm)}</Badge>
                {reason(algorithmFrom)}
              </span>
            ),
          },
          {
            id: "default",
            header: t("field.default_model"),
            cell: ({ effective: { defaultModel, defaultFrom } }) => (
              <span className="flex flex-wrap items-center gap-2">
                {defaultModel ?? t("field.bestQuality")}
                {reason(defaultFrom)}
              </span>
            ),
          },
        ]}
        empty={<EmptyState title={t("keys.none")} />}
      />
      {keys.length < all.length ? (
        <p className="border-line border-t px-4 py-2.5 text-ink-3">
          <Link to={`${addressWith(query, { keys: "all" })}#keys`} className="link">
            {t("keys.all", { count: all.length })}
          </Link>
        </p>
      ) : null}
    </Section>
  );
}
