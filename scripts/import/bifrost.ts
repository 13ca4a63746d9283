import { azurePlace, bedrockPlace, vertexPlace } from "./clouds";
import { CatalogueDraft, type Place } from "./draft";
import { isObject, type JsonObject, keyText, textOrNull } from "./reading";

/** Sections of Bifrost's `config.json` that a catalogue file cannot express, with the reason. */
const SECTIONS: Readonly<Record<string, string>> = {
  mcp: "gw runs no tools",
  plugins: "gw has no plugins",
  client: "settings of that gateway; gw's are environment variables (docs/configuration.md)",
  governance: "keys, budgets and limits are made in the portal or by the management API (docs/management-api.md)",
};

/**
 * Converts Bifrost's `config.json` to a catalogue file: its providers, and each key with its models. Models keep their
 * names, `provider/model`, and get list prices. The format: https://docs.getbifrost.ai, "config.json".
 * @throws Error if the text is not such a configuration
 */
export function fromBifrost(text: string): CatalogueDraft {
  const file: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
  if (!isObject(file) || !isObject(file.providers)) throw new Error("The file has no providers.");
  const draft = new CatalogueDraft();
  for (const [provider, entry] of Object.entries(file.providers)) {
    const { keys, network_config, meta_config } = isObject(entry) ? entry : {};
    const base = isObject(network_config) ? textOrNull(network_config.base_url) : null;
    const place = `providers.${provider}`;
    if (!Array.isArray(keys) || keys.length === 0) draft.skip(place, "it has no keys");
    else
      for (const [index, key] of keys.entries())
        addKey(draft, {
          key,
          provider,
          base,
          meta: isObject(meta_config) ? meta_config : {},
          place: `${place}.keys[${index}]`,
        });
  }
  draft.skipSections(file, SECTIONS);
  return draft;
}

type Key = { key: unknown; provider: string; base: string | null; meta: JsonObject; place: string };

function addKey(draft: CatalogueDraft, { key, provider, base, meta, place }: Key): void {
  const fields = isObject(key) ? key : {};
  const own = fields[`${provider}_key_config`];
  const cloud = { ...meta, ...(isObject(own) ? own : {}) };
  if (textOrNull(cloud.role_arn) !== null) {
    draft.skip(place, "gw does not sign in with role_arn");
    return;
  }
  const deployments = isObject(cloud.deployments) ? cloud.deployments : {};
  const where = placeOf({ provider, base, cloud, value: keyText(fields.value, "env.") });
  const models = Array.isArray(fields.models) ? fields.models.flatMap((name) => textOrNull(name) ?? []) : [];
  for (const model of models.length === 0 ? ["*"] : models) {
    draft.add(
      {
        model: `${provider}/${model}`,
        upstream: textOrNull(deployments[model]) ?? model,
        provider,
        ...where,
        capability: "chat",
        price: {},
        contextTokens: null,
        maxOutputTokens: null,
        priority: 1,
        weight:
          typeof fields.weight === "number" && fields.weight > 0 ? Math.max(1, Math.round(fields.weight * 100)) : 1,
      },
      `${place} ${model}`,
    );
  }
}

/** Returns the address and the authentication of a deployment. */
function placeOf({
  provider,
  base,
  cloud,
  value,
}: {
  provider: string;
  base: string | null;
  cloud: JsonObject;
  value: string | null;
}): Place {
  const textOf = (name: string) => keyText(cloud[name], "env.");
  const endpoint = textOf("endpoint");
  if (provider === "azure" && endpoint !== null) {
    const entra = { tenant: textOf("tenant_id"), client: textOf("client_id"), secret: textOf("client_secret") };
    return azurePlace({ endpoint, version: textOf("api_version"), apiKey: value }, entra);
  }
  if (provider === "bedrock") {
    const secret = textOf("secret_key") ?? textOf("secret_access_key");
    // Without a secret, the key is a Bedrock API key.
    const id = textOf("access_key") ?? (secret === null ? null : value);
    const bearer = id === null ? value : null;
    return bedrockPlace({
      region: textOf("region"),
      endpoint: base,
      bearer,
      id,
      secret,
      session: textOf("session_token"),
    });
  }
  if (provider === "vertex")
    return vertexPlace({
      project: textOf("project_id"),
      location: textOf("region"),
      endpoint: base,
      credentials: textOf("auth_credentials"),
    });
  return { baseUrl: base, apiKey: value };
}
