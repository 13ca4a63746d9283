import type { DescribedOperation, OpenApiDocument } from "~/openapi/shared";
import type { Sample } from "../parts/CodeChoice";
import { sdkSamples } from "./sdk-samples";

/** Returns examples of one operation: with curl, and with the client libraries that support it. */
export function samplesOf({
  document,
  method,
  path,
  operation,
}: {
  document: OpenApiDocument;
  method: string;
  path: string;
  operation: DescribedOperation;
}): Sample[] {
  const baseUrl = document.servers[0]?.url ?? "";
  return [{ name: "curl", text: curlOf({ baseUrl, method, path, operation }) }, ...sdkSamples(baseUrl, method, path)];
}

function curlOf({
  baseUrl,
  method,
  path,
  operation,
}: {
  baseUrl: string;
  method: string;
  path: string;
  operation: DescribedOperation;
}): string {
  const shownPath = path.replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? `${name.toUpperCase()}`);
  const required = (operation.parameters ?? []).filter((parameter) => parameter.in === "query" && parameter.required);
  const query = required.map(({ name }) => `${name}=${EXAMPLES[name] ?? "…"}`).join("&");
  const address = `${baseUrl}${shownPath}${query ? `?${query}` : ""}`;
  const lines = [
    `curl ${method === "GET" || (method === "POST" && operation.requestBody) ? "" : `-X ${method} `}${query ? `"${address}"` : address}`,
    ...headersOf(baseUrl, method, operation),
    ...bodyOf(path, operation),
  ];
  return lines.join(" \\\n  ");
}

const EXAMPLES: Readonly<Record<string, string>> = { key_id: "key_…" };

function headersOf(baseUrl: string, method: string, { security }: DescribedOperation): string[] {
  const [scheme] = security.flatMap(Object.keys);
  if (scheme === "bearer") return ['-H "Authorization: Bearer $GW_KEY"'];
  if (scheme === "apiKeyHeader") return ['-H "x-api-key: $GW_KEY"'];
  if (scheme === "adminKey") return ['-H "Authorization: Bearer $GW_ADMIN_KEY"'];
  const cookie =
    scheme === "session" ? [`-b "${baseUrl.startsWith("https:") ? "__Host-gw_session" : "gw_session"}=…"`] : [];
  // A change needs proof that it comes from the portal's own pages.
  const own = method === "GET" ? [] : [`-H "Origin: ${baseUrl}"`, '-H "Accept: application/json"'];
  return [...cookie, ...own];
}

function bodyOf(path: string, { requestBody }: DescribedOperation): string[] {
  if (!requestBody) return [];
  if (requestBody.content["multipart/form-data"]) return ["-F file=@morning.wav", "-F model=sandbox-whisper"];
  const example = requestBody.content["application/json"]?.example;
  const body = example === undefined ? "{…}" : JSON.stringify(example);
  const output = path.endsWith("/audio/speech") ? ["--output morning.wav"] : [];
  return ['-H "Content-Type: application/json"', `-d '${body}'`, ...output];
}
