import type { PortalKey } from "~/domain/keys/shared";
import { formatUsd } from "~/money";
import type { FormValues } from "~/ui/portal-form";

/** What a new key begins with: everything allowed, nothing limited, counted by the month. */
export const NEW_KEY: FormValues = { budget_period: "monthly", owner: "self", kind: "inference" };

/** What the form of a key shows before anybody touches it. */
export function valuesOf(key: PortalKey): FormValues {
  const { autorouter, fit_output, ...labels } = key.metadata;
  const limit = key.budget?.limitNanoUsd ?? null;
  return Object.fromEntries([
    ["name", key.name],
    ["budget_limit", limit === null ? "" : plainAmount(limit)],
    ["budget_period", key.budget?.period ?? "monthly"],
    ["rate_limit_rpm", String(key.rateLimitRpm ?? "")],
    ["expires_at", key.expiresAt === null ? "" : momentOf(new Date(key.expiresAt))],
    ["project_id", String(key.project?.id ?? "")],
    ["autorouter", autorouter ?? ""],
    ["allowed_origins", key.allowedOrigins.join("\n")],
    ["fit_output", fit_output === "true" ? "true" : ""],
    [
      "metadata",
      Object.entries(labels)
        .map(([name, value]) => `${name}=${value}`)
        .join("\n"),
    ],
    ...key.allowedModels.map((model) => [`model:${model}`, "on"]),
    ...key.allowedRegions.map((region) => [`region:${region}`, "on"]),
  ]);
}

/** As a field for a moment has it, in UTC: to the second, where there are some, so that saving another field changes nothing. */
const momentOf = (at: Date): string => at.toISOString().replace(/(:00)?\.\d+Z$/, "");

/** Exact, without the zeros that say nothing: `25`, `0.5`. */
const plainAmount = (nanoUsd: bigint): string => formatUsd(nanoUsd).replace(/\.?0+$/, "");

/** What is checked among the boxes of one kind, and what is written beside them. */
export function checked(values: FormValues, prefix: "model:" | "region:"): string[] {
  const boxes = Object.keys(values).filter((name) => name.startsWith(prefix));
  const written = (values[prefix === "model:" ? "allowed_models" : "allowed_regions"] ?? "").split(/[\s,]+/);
  return [...new Set([...boxes.map((name) => name.slice(prefix.length)), ...written.filter(Boolean)])];
}

/** A form as it stands in the browser. */
export function readForm(form: HTMLFormElement): FormValues {
  return Object.fromEntries(
    [...new FormData(form)].filter((field): field is [string, string] => typeof field[1] === "string"),
  );
}
