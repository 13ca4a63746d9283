import { z } from "zod";
import { PROVIDERS } from "~/config/provider-keys";
import { accountText, type GivenCredential } from "~/domain/credentials/shared";
import { PRESETS } from "../presets/presets";
import { nearestProfiles, profileNames } from "../profiles";
import {
  BATCH_PROTOCOLS,
  type BatchOffer,
  type BatchProtocol,
  CAPABILITIES,
  type Capability,
  LIFECYCLES,
  OUTPUT_FIELDS,
  SUPPLIER_KINDS,
  type SupplierKind,
  USUAL_PATIENCE,
} from "../shared";
import { extrasFields, extrasProblem, hasUsualBraces, MODEL_SEGMENT } from "./file-extras";
import { flag, integer, usd } from "./file-fields";
import { longContextField, tiersField, withTierAmounts } from "./file-tiers";

const name = z
  .string()
  .min(1, "must not be empty")
  .max(200, "is longer than 200 characters")
  .refine(
    (text) => text.trim() === text && !/\p{Cc}/u.test(text),
    "must not begin or end with a space, nor contain control characters",
  );

/** Price of batches as a share of the ordinary price, converted to millionths. */
const share = z
  .string("must be a number from 0 to 1")
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, "must be a number from 0 to 1 with at most six decimals")
  .transform((text) => Math.round(Number(text) * 1_000_000));

/** Batch support of a supplier; false: none, even if its preset has it. */
const batch = z.union(
  [
    z.literal(false),
    z
      .strictObject({ protocol: z.enum(BATCH_PROTOCOLS), price: share })
      .transform(({ protocol, price }): BatchOffer => ({ protocol, priceMillionths: price })),
  ],
  "must be false, or a map of protocol and price such as { protocol: openai, price: 0.5 }",
);

/** Whether suppliers of a kind support a batch protocol. */
const hasProtocol = (kind: SupplierKind, protocol: BatchProtocol): boolean =>
  protocol === "anthropic" ? kind === "messages" : kind === "chat" || kind === "gateway";

const BATCH_OF_ANOTHER_KIND = {
  path: ["batch"],
  message: "has the protocol openai for the kinds chat and gateway, and anthropic for the kind messages",
};

const baseUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .refine((text) => !/[?#@]/.test(text), "must have no user, query or fragment")
  .refine(hasUsualBraces, "may have braces for {model} as a segment of its path only")
  .transform((text) => text.replace(/\/+$/, ""));

/** A secret that may follow "Bearer" in a header. */
const secret = z
  .string("must be a text")
  .min(1, "must not be empty")
  .regex(/^[\x21-\x7e]*$/, "must be printable ASCII without spaces");

/** A fixed key, or a service account that replaces it. */
const apiKey = z
  .string("must be a text")
  .min(1, "must not be empty")
  .transform((text) => accountText(text) ?? text)
  .refine(
    (text) => (text.startsWith("{") ? accountText(text) !== null : /^[\x21-\x7e]+$/.test(text)),
    "must be printable ASCII without spaces, or the JSON key of a service account",
  );

const instant = z.string("must be a time").transform((text, context) => {
  const at = /^\d{1,11}$/.test(text) ? new Date(Number(text) * 1_000) : new Date(text);
  if (!Number.isNaN(at.getTime())) return at;
  context.addIssue({ code: "custom", message: "must be a time such as 2026-01-31T12:00:00Z, or seconds since 1970" });
  return z.NEVER;
});

const tokenUrl = z
  .url({ protocol: /^https?$/, error: "must be an http:// or https:// address" })
  .refine((text) => !/[#@]/.test(text), "must have no user or fragment");

/** A fixed key, or an OAuth token with its renewal data. */
const CredentialEntry = z
  .strictObject({
    name,
    api_key: apiKey.optional(),
    access_token: secret.optional(),
    refresh_token: secret.optional(),
    expires_at: instant.optional(),
    token_url: tokenUrl.optional(),
    client_id: name.optional(),
    client_secret: secret.optional(),
    scope: name.optional(),
  })
  .transform(({ api_key, ...entry }, context): GivenCredential => {
    const { refresh_token, token_url, client_id, client_secret, scope } = entry;
    const problem = (field: string, message: string) => {
      context.addIssue({ code: "custom", path: [field], message });
      return z.NEVER;
    };
    if (api_key !== undefined) {
      const other = OAUTH_FIELDS.find((field) => entry[field] !== undefined);
      if (other !== undefined) return problem(other, "cannot stand beside api_key");
      return { name: entry.name, apiKey: api_key };
    }
    if (OAUTH_FIELDS.every((field) => entry[field] === undefined)) return problem("api_key", "is required");
    if (client_secret !== undefined) {
      const other = (["access_token", "refresh_token", "expires_at"] as const).find(
        (field) => entry[field] !== undefined,
      );
      if (other !== undefined) return problem(other, "cannot stand beside client_secret");
      if (token_url === undefined) return problem("token_url", "is required");
      if (client_id === undefined) return problem("client_id", "is required");
      const account = { type: "client_credentials", token_url, client_id, client_secret, scope };
      return { name: entry.name, apiKey: JSON.stringify(account) };
    }
    if (scope !== undefined) return problem("scope", "is for credentials with a client_secret");
    if (refresh_token === undefined) return problem("refresh_token", "is required");
    if (token_url === undefined) return problem("token_url", "is required");
    if (client_id === undefined) return problem("client_id", "is required");
    const { access_token: accessToken = null, expires_at: expiresAt = null } = entry;
    return {
      name: entry.name,
      accessToken,
      refreshToken: refresh_token,
      expiresAt,
      tokenUrl: token_url,
      clientId: client_id,
    };
  });

const OAUTH_FIELDS = [
  "access_token",
  "refresh_token",
  "expires_at",
  "token_url",
  "client_id",
  "client_secret",
  "scope",
] as const;

const outputField = z.enum(OUTPUT_FIELDS, `must be one of ${OUTPUT_FIELDS.join(", ")}`);

/** Fields of every supplier, with and without a preset. */
const supplierFields = {
  base_url: baseUrl.optional(),
  region: name.default("global"),
  timeout_ms: integer(1, 3_600_000).default(USUAL_PATIENCE.timeoutMs),
  idle_timeout_ms: integer(1, 3_600_000).default(USUAL_PATIENCE.idleTimeoutMs),
  cooldown: flag.default(true),
  stream_usage: flag.default(true),
  responses: flag.optional(),
  output_field: outputField.optional(),
  batch: batch.optional(),
  zero_data_retention: flag.optional(),
  credentials: z.array(CredentialEntry).default([]),
  ...extrasFields,
};

/** Reports mistakes in a supplier's extras, and in the location of the model's name in its address. */
function extraIssues(
  supplier: Parameters<typeof extrasProblem>[0] & { base_url?: string | undefined },
  of: { kind: SupplierKind; signsIn: boolean },
) {
  const issue = (path: string[], message: string) => ({ code: "custom" as const, path, message, input: supplier });
  const problem = extrasProblem(supplier, of);
  const issues = problem === null ? [] : [issue(problem.path, problem.message)];
  if (supplier.base_url?.includes(MODEL_SEGMENT) && of.kind !== "chat" && of.kind !== "gateway")
    issues.push(issue(["base_url"], `may have ${MODEL_SEGMENT} for suppliers of the kinds chat and gateway only`));
  return issues;
}

/** A provider that gw knows; `models` are names in its API, with `*` for any text. */
const PresetEntry = z
  .strictObject({
    preset: z.enum(PROVIDERS),
    name: name.optional(),
    api_key: apiKey.optional(),
    models: z.union([z.literal("all"), z.array(name)], "must be all or a list of names").default("all"),
    ...supplierFields,
  })
  .refine(({ preset, base_url }) => base_url !== undefined || PRESETS[preset].baseUrl !== null, {
    path: ["base_url"],
    message: "is required for this preset",
  })
  .refine(({ api_key, credentials }) => api_key === undefined || credentials.length === 0, {
    path: ["credentials"],
    message: "cannot stand beside api_key",
  })
  .refine(({ preset, batch }) => !batch || hasProtocol(PRESETS[preset].kind, batch.protocol), BATCH_OF_ANOTHER_KIND)
  .check(({ value: supplier, issues }) => {
    const signsIn = supplier.api_key !== undefined || supplier.credentials.length > 0;
    issues.push(...extraIssues(supplier, { kind: PRESETS[supplier.preset].kind, signsIn }));
  });

const SupplierEntry = z
  .strictObject({
    preset: z.undefined().optional(),
    name,
    kind: z.enum(SUPPLIER_KINDS, `must be one of ${SUPPLIER_KINDS.join(", ")}`),
    ...supplierFields,
  })
  .refine((supplier) => supplier.kind === "sandbox" || supplier.base_url !== undefined, {
    path: ["base_url"],
    message: "is required",
  })
  .refine(({ kind, stream_usage }) => stream_usage || kind === "chat" || kind === "gateway", {
    path: ["stream_usage"],
    message: "is for suppliers of the kinds chat and gateway",
  })
  .refine(({ kind, responses }) => responses !== true || kind === "chat" || kind === "gateway", {
    path: ["responses"],
    message: "is for suppliers of the kinds chat and gateway",
  })
  .refine(({ kind, batch }) => !batch || hasProtocol(kind, batch.protocol), BATCH_OF_ANOTHER_KIND)
  .check(({ value: supplier, issues }) => {
    const problem = (index: number, field: string, message: string) =>
      issues.push({ code: "custom", path: ["credentials", index, field], message, input: supplier });
    issues.push(...extraIssues(supplier, { kind: supplier.kind, signsIn: supplier.credentials.length > 0 }));
    for (const index of repeated(supplier.credentials.map((credential) => credential.name)))
      problem(index, "name", "is there twice");
    for (const [index, credential] of supplier.credentials.entries()) {
      if ("refreshToken" in credential && supplier.kind !== "native_agent")
        problem(index, "refresh_token", "is for suppliers of the kind native_agent");
    }
  });

/** A price in the catalogue file or in a price file. */
export const PriceEntry = z
  .strictObject({
    input_per_mtok: usd.optional(),
    output_per_mtok: usd.optional(),
    cached_input_per_mtok: usd.optional(),
    cache_write_per_mtok: usd.optional(),
    cache_write_1h_per_mtok: usd.optional(),
    audio_input_per_mtok: usd.optional(),
    audio_output_per_mtok: usd.optional(),
    per_tool_use: usd.optional(),
    per_request: usd.optional(),
    per_second: usd.optional(),
    per_mchar: usd.optional(),
    long_context: longContextField,
    tiers: tiersField,
  })
  .refine((price) => Object.values(price).some((value) => value !== undefined), "names no price at all")
  .transform(withTierAmounts);

/** Name of a profile. */
const profile = z.string("must be a text").check(({ value: text, issues }) => {
  if (profileNames().includes(text)) return;
  const nearest = nearestProfiles(text).join(", ");
  issues.push({ code: "custom", message: `is no profile; the nearest are ${nearest}`, input: text });
});

const RouteEntry = z.strictObject({
  supplier: name,
  upstream_model: name.optional(),
  priority: integer(0, 1_000).default(1),
  weight: integer(0, 1_000_000).default(1),
  price: PriceEntry.optional(),
  output_field: outputField.optional(),
  profile: profile.optional(),
});

const ModelEntry = z
  .strictObject({
    id: name,
    owned_by: name.default("gw"),
    capability: z.enum(CAPABILITIES, `must be one of ${CAPABILITIES.join(", ")}`).optional(),
    context_tokens: integer(1, 1_000_000_000).optional(),
    max_output_tokens: integer(1, 1_000_000_000).optional(),
    tools: flag.optional(),
    images: flag.optional(),
    quality: integer(0, 100).optional(),
    auto: flag.optional(),
    lifecycle: z.enum(LIFECYCLES, `must be one of ${LIFECYCLES.join(", ")}`).optional(),
    retires_at: instant.optional(),
    profile: profile.optional(),
    routes: z.array(RouteEntry).default([]),
  })
  .check(({ value: model, issues }) => {
    if ((model.capability ?? "chat") !== "chat") return;
    const require = (path: PropertyKey[]) =>
      issues.push({ code: "custom", path, message: "is required for a chat model", input: model });
    // A price that is omitted by mistake would make answers free.
    for (const [index, { price }] of model.routes.entries()) {
      if (price && price.input_per_mtok === undefined) require(["routes", index, "price", "input_per_mtok"]);
      if (price && price.output_per_mtok === undefined) require(["routes", index, "price", "output_per_mtok"]);
    }
  });

/** The catalogue file as written: with presets, wildcards and aliases. */
export const WrittenCatalogue = z
  .strictObject({
    suppliers: z
      .array(z.discriminatedUnion("preset", [PresetEntry, SupplierEntry], `must be one of ${PROVIDERS.join(", ")}`))
      .default([]),
    models: z.array(ModelEntry).default([]),
    aliases: z.record(name, name).default({}),
  })
  .check(({ value: file, issues }) => {
    const problem = (path: PropertyKey[], message: string) =>
      issues.push({ code: "custom", path, message, input: file });
    const suppliers = new Map(file.suppliers.map((supplier) => [nameOf(supplier), supplier]));
    for (const index of repeated(file.suppliers.map(nameOf))) problem(["suppliers", index, "name"], "is there twice");
    for (const index of repeated(file.models.map((model) => model.id)))
      problem(["models", index, "id"], "is there twice");
    for (const [modelIndex, model] of file.models.entries()) {
      const targets = model.routes.map((route) => `${route.supplier}\n${route.upstream_model ?? model.id}`);
      for (const index of repeated(targets)) problem(["models", modelIndex, "routes", index], "is there twice");
      for (const [index, { supplier }] of model.routes.entries()) {
        if (!suppliers.has(supplier))
          problem(
            ["models", modelIndex, "routes", index, "supplier"],
            `names ${JSON.stringify(supplier)}, which is no supplier of this file`,
          );
        else if (model.id.includes("*") && suppliers.get(supplier)?.preset === undefined)
          problem(["models", modelIndex, "routes", index, "supplier"], "must be a preset where the model's id has a *");
      }
      if ((model.capability ?? "chat") !== "chat" || model.id.includes("*")) continue;
      // The limits of preset models are known; the file must state those of other models.
      if (model.routes.some(({ supplier }) => suppliers.get(supplier)?.preset !== undefined)) continue;
      for (const field of ["context_tokens", "max_output_tokens"] as const)
        if (model[field] === undefined) problem(["models", modelIndex, field], "is required for a chat model");
    }
  });
export type WrittenCatalogue = z.infer<typeof WrittenCatalogue>;
export type WrittenModel = WrittenCatalogue["models"][number];
export type FileSupplier = Omit<z.infer<typeof SupplierEntry>, "preset">;
export type FileModel = WrittenModel & { capability: Capability };

/** The catalogue that a file describes. Prices in nano-USD, times in milliseconds. */
export type CatalogueFile = { suppliers: FileSupplier[]; models: FileModel[] };

/** Returns the name of a supplier entry: its own name, or that of its preset. */
export const nameOf = (supplier: WrittenCatalogue["suppliers"][number]): string => supplier.name ?? supplier.preset!;
export type FilePrice = z.infer<typeof PriceEntry>;

const repeated = (names: readonly string[]): number[] =>
  names.flatMap((value, index) => (names.indexOf(value) === index ? [] : [index]));
