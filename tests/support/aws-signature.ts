import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Whether a request is signed with an access key (`<id>:<secret>`) by the rules of Signature Version 4. Written from
 * the specification, without the library that signs.
 */
export function isSignedByAwsKey(
  { method, url, headers }: IncomingMessage,
  body: string,
  expected: { accessKey: string; region: string; service: string },
): boolean {
  const [id, secret] = expected.accessKey.split(":");
  const said = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? "",
  );
  if (said === null) return false;
  const [, credential, signedHeaders, signature] = said as unknown as [string, string, string, string];
  const at = String(headers["x-amz-date"]);
  const day = at.slice(0, 8);
  const scope = `${day}/${expected.region}/${expected.service}/aws4_request`;
  if (credential !== `${id}/${scope}`) return false;
  const signed = signedHeaders.split(";");
  if (!signed.includes("host") || !signed.includes("x-amz-date")) return false;
  const [path = "/", query = ""] = (url ?? "/").split("?");
  const canonical = [
    method,
    // The signature covers each path segment encoded once more than on the wire.
    path.split("/").map(encoded).join("/"),
    query,
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    "",
    signedHeaders,
    createHash("sha256").update(body).digest("hex"),
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", at, scope, createHash("sha256").update(canonical).digest("hex")].join("\n");
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = [expected.region, expected.service, "aws4_request"].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day));
  return hmac(key, toSign).toString("hex") === signature;
}

const encoded = (step: string): string =>
  encodeURIComponent(step).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
