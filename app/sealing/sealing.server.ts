// Own code on purpose: Node's AES-GCM and HKDF, with each value bound to its place of storage, which packages for
// sealed sessions do not support.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { config } from "../config.server";

/** Version of the sealed format; another format gets another mark. */
const MARK = "gw1";
/** Prefix of a sealed text. */
export const SEALED_PREFIX = `${MARK}.`;
const KEY_PURPOSE = "gw sealing key, version 1";
const NAME_PURPOSE = "gw sealing key name, version 1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

/** A key derived from one GW_SECRET; its name identifies the secret without revealing it. */
type SealingKey = { name: string; key: Buffer };

/** A sealed text cannot be opened: no secret fits, or it was changed or moved. Reveals nothing of the content. */
export class CannotOpen extends Error {
  override readonly name = "CannotOpen";
}

let known: { of: readonly string[]; keys: readonly SealingKey[] } = { of: [], keys: [] };

/**
 * Seals a text for the database: AES-256-GCM under a data key of its own, which is wrapped by a key that HKDF derives
 * from the first GW_SECRET. `location` identifies the storage location (table, row and column) and is needed to open the
 * text: a copy in another row cannot be opened.
 */
export function seal(text: string, location: string): string {
  const [wrapping] = sealingKeys();
  const dataKey = randomBytes(KEY_BYTES);
  return [
    MARK,
    wrapping!.name,
    encrypt(wrapping!.key, dataKey, location),
    encrypt(dataKey, Buffer.from(text, "utf8"), location),
  ].join(".");
}

/** Opens a text that `seal` has sealed under any current GW_SECRET. @throws CannotOpen */
export function unseal(sealed: string, location: string): string {
  const { wrapping, wrapped, content } = parts(sealed);
  return decrypt(decrypt(wrapping.key, wrapped, location), content, location).toString("utf8");
}

/**
 * Reseals a text under the first GW_SECRET; only wraps the data key again. Returns null when it already is.
 * @throws CannotOpen
 */
export function resealed(sealed: string, location: string): string | null {
  const { wrapping, wrapped, content } = parts(sealed);
  const [current] = sealingKeys();
  if (wrapping.name === current!.name) return null;
  return [MARK, current!.name, encrypt(current!.key, decrypt(wrapping.key, wrapped, location), location), content].join(
    ".",
  );
}

function parts(sealed: string): { wrapping: SealingKey; wrapped: string; content: string } {
  const [mark, name, wrapped, content] = sealed.split(".");
  const wrapping = sealingKeys().find((key) => key.name === name);
  if (mark !== MARK || wrapping === undefined || wrapped === undefined || content === undefined) {
    throw new CannotOpen("no GW_SECRET of this process fits what is sealed in the database");
  }
  return { wrapping, wrapped, content };
}

function sealingKeys(): readonly SealingKey[] {
  const { secrets } = config();
  if (known.of !== secrets) {
    if (secrets.length === 0) throw new Error("there is no GW_SECRET to seal with");
    known = {
      of: secrets,
      keys: secrets.map((secret) => ({
        name: derived(secret, NAME_PURPOSE, 6).toString("base64url"),
        key: derived(secret, KEY_PURPOSE, KEY_BYTES),
      })),
    };
  }
  return known.keys;
}

const derived = (secret: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "", purpose, bytes));

const encrypt = (key: Buffer, content: Buffer, location: string): string =>
  sealBytesWith(key, content, location).toString("base64url");

const decrypt = (key: Buffer, text: string, location: string): Buffer =>
  unsealBytesWith(key, Buffer.from(text, "base64url"), location);

/** Encrypts bytes under the caller's key (32 bytes), bound to a place of storage: AES-256-GCM. */
export function sealBytesWith(key: Buffer, content: Uint8Array, location: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(location, "utf8"));
  const body = [cipher.update(content), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...body]);
}

/** Decrypts the result of `sealBytesWith`. @throws CannotOpen for another key or place, or when it was changed. */
export function unsealBytesWith(key: Buffer, bytes: Uint8Array, location: string): Buffer {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(location, "utf8"));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch (cause) {
    throw new CannotOpen("what is sealed in the database was changed, or belongs to another place", { cause });
  }
}

/** Encrypts a text under the caller's key (32 bytes), bound to a place of storage: AES-256-GCM. */
export const sealWith = (key: Buffer, text: string, location: string): string =>
  encrypt(key, Buffer.from(text, "utf8"), location);

/** Decrypts the result of `sealWith`. @throws CannotOpen for another key or place, or when it was changed. */
export const unsealWith = (key: Buffer, sealed: string, location: string): string =>
  decrypt(key, sealed, location).toString("utf8");
