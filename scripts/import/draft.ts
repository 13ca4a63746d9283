import { Document, isMap, isScalar, type Scalar, visit } from "yaml";
import { PROVIDERS, type ProviderName } from "~/config/provider-keys";
import { readCatalogueFile } from "~/domain/catalogue/file/read-file";
import { PRESETS } from "~/domain/catalogue/presets/presets";
import { listedModel } from "~/domain/catalogue/presets/price-catalogue";
import type { Capability } from "~/domain/catalogue/shared";
import type { CloudPlace } from "./clouds";

/** A model at a supplier, as the configuration of another gateway describes it. */
export type Deployment = {
  /** Name of the model for clients, and at its supplier. `*` at the end of both: every model of the supplier. */
  model: string;
  upstream: string;
  /** Name of the provider in that configuration; one that gw knows becomes a preset. */
  provider: string;
  /** Includes the version path; null: the provider's default. */
  baseUrl: string | null;
  /** In the form of a catalogue file: a key, or `${NAME}` of an environment variable. Null: none. */
  apiKey: string | null;
  capability: Capability;
  /** US dollars as decimals, by the field names of a catalogue file. */
  price: Readonly<Record<string, string>>;
  contextTokens: number | null;
  maxOutputTokens: number | null;
  /** First day on which the model is no longer served; null: unknown. */
  retiresAt?: string | null;
  priority: number;
  weight: number;
} & Partial<Pick<CloudPlace, "region" | "query" | "account" | "remarks">>;

/** Address and authentication of a deployment. */
export type Place = Pick<Deployment, "baseUrl" | "apiKey" | "region" | "query" | "account" | "remarks">;

type Supplier = {
  preset?: string;
  name: string;
  kind?: string;
  base_url?: string;
  region?: string;
  query?: object;
  api_key?: string;
  models?: [];
  credentials?: object[];
};
type Route = { supplier: string; upstream_model: string; priority: number; weight: number; price?: object };
type Model = {
  id: string;
  capability?: Capability;
  context_tokens?: number;
  max_output_tokens?: number;
  retires_at?: string;
  routes: Route[];
};

/** Addresses of providers with a chat completions API but without a preset, from their documentation. */
const CHAT_APIS: Readonly<Record<string, string>> = {
  together_ai: "https://api.together.xyz/v1",
  fireworks_ai: "https://api.fireworks.ai/inference/v1",
  perplexity: "https://api.perplexity.ai",
  cerebras: "https://api.cerebras.ai/v1",
  deepinfra: "https://api.deepinfra.com/v1/openai",
  moonshot: "https://api.moonshot.cn/v1",
  siliconflow: "https://api.siliconflow.cn/v1",
};

/** Builds a catalogue file from the configuration of another gateway, and collects what the file cannot express. */
export class CatalogueDraft {
  readonly #suppliers = new Map<string, Supplier>();
  readonly #models = new Map<string, Model>();
  readonly #aliases: Record<string, string> = {};
  readonly #notTaken: string[] = [];
  readonly #remarks: string[] = [];

  /** Adds a deployment, or records why it cannot. `place`: its location in the source configuration. */
  add(deployment: Deployment, place: string): void {
    const { model, upstream, capability, contextTokens, maxOutputTokens, retiresAt } = deployment;
    const supplier = this.#supplierOf(deployment);
    if (typeof supplier === "string") {
      this.skip(place, supplier);
      return;
    }
    if (model.includes("*") !== upstream.includes("*")) {
      this.skip(place, "only one of its two names has a *");
      return;
    }
    if (model.includes("*") && supplier.preset === undefined) {
      this.skip(place, "a * needs a provider whose models gw knows; name the models one by one");
      return;
    }
    const preset = supplier.preset as ProviderName | undefined;
    const listed =
      preset === undefined || model.includes("*") ? null : listedModel(PRESETS[preset], upstream, new Date());
    const isLimited = contextTokens !== null && maxOutputTokens !== null;
    if (capability === "chat" && !isLimited && preset === undefined) {
      this.skip(place, "how much the model reads and writes is not said (context_tokens, max_output_tokens)");
      return;
    }
    const price = this.#priceOf(deployment, place);
    if (price === null && listed === null && !model.includes("*"))
      this.remark(`${model}: no price is known for it at ${supplier.name}; it is not served there until it has one`);
    const known = this.#models.get(model) ?? {
      id: model,
      ...(capability === "chat" ? {} : { capability }),
      ...(contextTokens === null ? {} : { context_tokens: contextTokens }),
      ...(maxOutputTokens === null ? {} : { max_output_tokens: maxOutputTokens }),
      ...(isDay(retiresAt) ? { retires_at: retiresAt } : {}),
      routes: [],
    };
    this.#models.set(model, known);
    if (known.routes.some((route) => route.supplier === supplier.name && route.upstream_model === upstream)) {
      this.skip(place, `${supplier.name} serves ${model} as ${upstream} already`);
      return;
    }
    const { priority, weight } = deployment;
    known.routes.push({
      supplier: supplier.name,
      upstream_model: upstream,
      priority,
      weight,
      ...(price === null ? {} : { price }),
    });
    if (!this.#suppliers.has(supplier.name))
      for (const text of deployment.remarks ?? []) this.remark(`${supplier.name}: ${text}`);
    this.#suppliers.set(supplier.name, supplier);
  }

  /** Adds another name of a model. */
  alias(name: string, model: string): void {
    if (!this.#models.has(model)) {
      this.skip(`alias ${name}`, `${model} is no model of the result`);
      return;
    }
    if (this.#models.has(name)) {
      this.skip(`alias ${name}`, "it is the id of a model");
      return;
    }
    this.#aliases[name] = model;
  }

  /** Records a part that is not imported, and the reason. */
  skip(what: string, why: string): void {
    this.#notTaken.push(`${what}: ${why}`);
  }

  /** Skips the sections that a catalogue file cannot express. `whyNot`: the reason by section name. */
  skipSections(file: Readonly<Record<string, unknown>>, whyNot: Readonly<Record<string, string>>): void {
    for (const [name, why] of Object.entries(whyNot)) if (file[name] != null) this.skip(name, why);
  }

  remark(text: string): void {
    this.#remarks.push(text);
  }

  /**
   * Returns the file, which gw can read at a start, with remarks for the operator.
   * @throws ConfigError if it is invalid
   */
  result(): {
    yaml: string;
    suppliers: number;
    models: number;
    remarks: readonly string[];
    notTaken: readonly string[];
  } {
    const models = [...this.#models.values()].filter(({ routes }) => routes.length > 0);
    const file = {
      suppliers: [...this.#suppliers.values()],
      models,
      ...(Object.keys(this.#aliases).length === 0 ? {} : { aliases: this.#aliases }),
    };
    const yaml = yamlOf(file);
    // Sample values of variables for this check: a part of an address for regions and the like, else valid as address
    // and as key.
    const variable = (name: string) => (/REGION|LOCATION|PROJECT/.test(name) ? "a-place" : "https://example.com");
    readCatalogueFile({ name: "the result", text: yaml, variable });
    return {
      yaml,
      suppliers: this.#suppliers.size,
      models: models.length,
      remarks: this.#remarks,
      notTaken: this.#notTaken,
    };
  }

  /** Returns the supplier of a deployment: one for each address and key. A string: the reason why there is none. */
  #supplierOf({ provider, baseUrl, apiKey, region, query, account, capability }: Deployment): Supplier | string {
    if ((provider === "bedrock" || provider === "vertex") && capability !== "chat")
      return `gw asks ${provider} for chat alone`;
    const preset = PROVIDERS.find((name) => name === provider);
    const address = baseUrl ?? (preset === undefined ? (CHAT_APIS[provider] ?? null) : null);
    if (preset === undefined && address === null) return `gw has no preset for ${provider}, and no address is said`;
    if (preset !== undefined && address === null && PRESETS[preset].baseUrl === null)
      return `the address of its ${provider} resource is not said`;
    const same = [...this.#suppliers.values()].find(
      (known) =>
        (known.preset ?? known.name.replace(/-\d+$/, "")) === provider &&
        (known.base_url ?? null) === address &&
        known.region === region &&
        JSON.stringify(known.query) === JSON.stringify(query) &&
        JSON.stringify(accountOf(known)) === JSON.stringify(account) &&
        keyOf(known) === apiKey,
    );
    if (same !== undefined) return same;
    const name = freeName(provider, this.#suppliers);
    const at = {
      ...(address === null ? {} : { base_url: address }),
      ...(region === undefined ? {} : { region }),
      ...(query === undefined ? {} : { query }),
    };
    if (preset === undefined) {
      const credentials = apiKey === null ? {} : { credentials: [{ name: "main", api_key: apiKey }] };
      return { name, kind: "chat", ...at, ...credentials };
    }
    const signIn = account === undefined ? {} : { credentials: [{ name: "main", ...account }] };
    return { preset, name, ...at, ...(apiKey === null ? signIn : { api_key: apiKey }), models: [] };
  }

  #priceOf({ capability, price }: Deployment, place: string): Readonly<Record<string, string>> | null {
    if (Object.keys(price).length === 0) return null;
    if (capability !== "chat" || (price.input_per_mtok !== undefined && price.output_per_mtok !== undefined))
      return price;
    this.remark(`${place}: its price is left out, since one of input and output is not said`);
    return null;
  }
}

/** Whether a text is only a day, such as 2026-01-31. */
const isDay = (text: string | null | undefined): text is string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") && !Number.isNaN(Date.parse(text ?? ""));

const keyOf = (supplier: Supplier): string | null =>
  supplier.api_key ?? (supplier.credentials?.[0] as { api_key?: string } | undefined)?.api_key ?? null;

function accountOf({ credentials }: Supplier): object | undefined {
  const { name: _name, ...account } = (credentials?.[0] ?? {}) as Record<string, unknown>;
  return "token_url" in account ? account : undefined;
}

function freeName(preferred: string, existing: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? preferred : `${preferred}-${number}`;
    if (!existing.has(name)) return name;
  }
}

/** Writes prices as plain numbers, and each supplier, route and price on one line. */
function yamlOf(file: object): string {
  const document = new Document(file);
  visit(document, {
    Map(_key, node, path) {
      if (path.length > 2) node.flow = true;
    },
    Pair(_key, { key, value }) {
      if (!isScalar(key) || key.value !== "price" || !isMap(value)) return;
      for (const { value: amount } of value.items) {
        const scalar = amount as Scalar;
        const number = Number(scalar.value);
        if (!String(number).includes("e")) scalar.value = number;
      }
    },
  });
  return document.toString({ lineWidth: 0 });
}
