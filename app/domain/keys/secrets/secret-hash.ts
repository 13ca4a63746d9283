import { createHmac } from "node:crypto";
import { config } from "~/config.server";

/** Separates this use of GW_SECRET from every other one. */
const PURPOSE = "gw api key secrets, version 1";

let peppers: { of: readonly string[]; keys: readonly Buffer[] } = { of: [], keys: [] };

/** Returns the stored form of a secret: its HMAC-SHA256 under a pepper that is derived from the first GW_SECRET. */
export function hashOfSecret(secret: string): Buffer {
  return hmac(currentPeppers()[0]!, secret);
}

/** Returns the HMACs under which a secret may be stored: one per GW_SECRET, the current one first. */
export function possibleHashesOf(secret: string): Buffer[] {
  return currentPeppers().map((pepper) => hmac(pepper, secret));
}

function currentPeppers(): readonly Buffer[] {
  const { secrets } = config();
  if (peppers.of !== secrets) {
    if (secrets.length === 0) throw new Error("there is no GW_SECRET to hash keys with");
    peppers = { of: secrets, keys: secrets.map((secret) => hmac(secret, PURPOSE)) };
  }
  return peppers.keys;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
