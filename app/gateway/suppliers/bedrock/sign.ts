import { AwsV4Signer } from "aws4fetch";
import { SupplierFailure } from "../../canonical/supplier-failure";

/** The request to sign. `url` is absolute, `region` the service's. */
export type ToSign = { url: string; body: string; region: string };

/**
 * Returns the authentication headers of a request. A Bedrock API key is sent unchanged; an access key, written as
 * `<id>:<secret>` or `<id>:<secret>:<session token>`, is used for Signature Version 4.
 * @throws SupplierFailure `credential` for an access key without its secret.
 */
export async function signIn(apiKey: string, { url, body, region }: ToSign): Promise<Record<string, string>> {
  if (!apiKey.includes(":")) return { authorization: `Bearer ${apiKey}` };
  const [accessKeyId = "", secretAccessKey = "", sessionToken] = apiKey.split(":");
  if (accessKeyId === "" || secretAccessKey === "")
    throw new SupplierFailure("credential", "the access key has no secret", { executed: "no" });
  const signer = new AwsV4Signer({
    method: "POST",
    url,
    body,
    accessKeyId,
    secretAccessKey,
    sessionToken: sessionToken === "" ? undefined : sessionToken,
    service: "bedrock",
    region,
  });
  const { headers } = await signer.sign();
  return Object.fromEntries([...headers].filter(([name]) => name !== "host"));
}
