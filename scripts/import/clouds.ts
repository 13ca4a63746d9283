/**
 * Address and authentication of a cloud deployment, in the form of a catalogue file. Texts may be `${NAME}` of an
 * environment variable.
 */
export type CloudPlace = {
  baseUrl: string;
  apiKey: string | null;
  region?: string;
  query?: Readonly<Record<string, string>>;
  account?: { token_url: string; client_id: string; client_secret: string; scope: string };
  /** Manual steps for the operator. */
  remarks: readonly string[];
};

const variable = (name: string): string => `\${${name}}`;

type Texts<Name extends string> = Readonly<Record<Name, string | null>>;

/** Versions of the API without deployments in its paths. */
const V1 = /^(v1|latest|preview)$/;

/** Locates an Azure OpenAI resource: with a dated version, under the paths of its deployments; else at its v1 API. */
export function azurePlace(
  { endpoint, version, apiKey }: { endpoint: string; version: string | null; apiKey: string | null },
  entra: Texts<"tenant" | "client" | "secret"> | null = null,
): CloudPlace {
  const resource = endpoint.replace(/\/+$/, "").replace(/\/openai(\/.*)?$/, "");
  const isV1 = version === null || V1.test(version);
  const { tenant, client, secret } = entra ?? { tenant: null, client: null, secret: null };
  const isAccount = apiKey === null && tenant !== null && client !== null && secret !== null;
  return {
    baseUrl: `${resource}/openai/${isV1 ? "v1" : "deployments/{model}"}`,
    apiKey,
    ...(isV1 ? {} : { query: { "api-version": version } }),
    ...(isAccount
      ? {
          account: {
            token_url: `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
            client_id: client,
            client_secret: secret,
            scope: "https://cognitiveservices.azure.com/.default",
          },
        }
      : {}),
    remarks: [],
  };
}

/** Locates Amazon Bedrock in a region, with an API key, an access key, or else the credentials of the environment. */
export function bedrockPlace(
  fields: Texts<"region" | "endpoint" | "bearer" | "id" | "secret" | "session">,
): CloudPlace {
  const { endpoint, bearer, id, secret, session } = fields;
  const region = fields.region ?? variable("AWS_REGION");
  const pair = [
    id ?? variable("AWS_ACCESS_KEY_ID"),
    secret ?? variable("AWS_SECRET_ACCESS_KEY"),
    ...(session === null ? [] : [session]),
  ];
  const isSaid = bearer !== null || (id !== null && secret !== null);
  return {
    baseUrl: endpoint ?? `https://bedrock-runtime.${region}.amazonaws.com`,
    apiKey: bearer ?? pair.join(":"),
    region,
    remarks: [
      ...(fields.region === null ? ["its region is not said: set AWS_REGION"] : []),
      ...(isSaid ? [] : ["its access key is that of the environment: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"]),
    ],
  };
}

/** Locates Google's models of a Vertex AI project and location. `credentials`: a JSON key, a variable or a file path. */
export function vertexPlace(fields: Texts<"project" | "location" | "credentials" | "endpoint">): CloudPlace {
  const project = fields.project ?? variable("GOOGLE_CLOUD_PROJECT");
  const location = fields.location ?? "us-central1";
  const host = location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  const { credentials } = fields;
  const isText = credentials !== null && /^[{$]/.test(credentials);
  const content = credentials === null ? "the JSON of a service account's key" : `the content of ${credentials}`;
  return {
    baseUrl: fields.endpoint ?? `https://${host}/v1/projects/${project}/locations/${location}`,
    apiKey: isText ? credentials : variable("VERTEX_SERVICE_ACCOUNT"),
    region: location,
    remarks: [
      ...(fields.project === null ? ["its project is not said: set GOOGLE_CLOUD_PROJECT"] : []),
      ...(isText ? [] : [`set VERTEX_SERVICE_ACCOUNT to ${content}`]),
      ...(isText && credentials.startsWith("$")
        ? [`${credentials} has to hold the JSON of the key itself, and no path`]
        : []),
    ],
  };
}
