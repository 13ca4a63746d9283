import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export type Algorithm = "RS256" | "RS512" | "PS256" | "ES256" | "ES384" | "EdDSA" | "HS256";

/** A signing key of a provider. */
export type Key = { kid: string; algorithm: Algorithm; secret: KeyObject; open: KeyObject };

const made = new Map<string, Key>();

/** Returns the first or second key of an algorithm. All twins share them, because creating a key is slow. */
export function keyOf(algorithm: Algorithm, index: 0 | 1): Key {
  const kid = `key-${index}-${algorithm}`;
  const before = made.get(kid);
  if (before !== undefined) return before;
  const { privateKey: secret, publicKey: open } = pairFor(algorithm);
  const key = { kid, algorithm, secret, open };
  made.set(kid, key);
  return key;
}

function pairFor(algorithm: Algorithm) {
  if (algorithm === "EdDSA") return generateKeyPairSync("ed25519");
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  if (algorithm === "ES384") return generateKeyPairSync("ec", { namedCurve: "P-384" });
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

/** Returns a provider's published keys: the signing key, an encryption key, and one of a type that gw does not know. */
export function publishedWith({ kid, algorithm, open }: Key): object[] {
  const { n, e } = keyOf("RS256", 1).open.export({ format: "jwk" });
  return [
    { kty: "RSA", n, e, kid: "to-encrypt", use: "enc", alg: "RSA-OAEP" },
    { kty: "AKP", pub: "AAAA", kid: "of-tomorrow", use: "sig", alg: "ML-DSA-44" },
    { ...open.export({ format: "jwk" }), kid, alg: algorithm, use: "sig" },
  ];
}

export function signedWith({ algorithm, secret }: Key, clientSecret: string, text: string): string {
  if (algorithm === "HS256") return createHmac("sha256", clientSecret).update(text).digest("base64url");
  const hash = algorithm === "EdDSA" ? null : `SHA${algorithm.slice(2)}`;
  const options = algorithm.startsWith("PS")
    ? { key: secret, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : { key: secret, dsaEncoding: "ieee-p1363" as const };
  return sign(hash, Buffer.from(text), options).toString("base64url");
}
