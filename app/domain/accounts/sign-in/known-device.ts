import { randomBytes, timingSafeEqual } from "node:crypto";
import { config } from "~/config.server";
import { keyedHash } from "./keyed-hash";

const DEVICE_BYTES = 12;
const DEVICE_CHARACTERS = 16;
const PROOF_CHARACTERS = 32;

/** The parts of an account that a mark is bound to. A new password invalidates every mark. */
type Marked = { id: number; passwordHash: string | null };

/**
 * Returns a mark for a browser in which an account has just signed in. It cannot be forged, and is valid for this
 * account and its current password only. `before`: marks that the browser already has; one that fits keeps its device
 * id.
 */
export function markDevice(account: Marked, before: readonly string[] = []): string {
  const device = deviceOf(account, before) ?? randomBytes(DEVICE_BYTES).toString("base64url");
  return device + proofOf(config().secrets[0] ?? "", account, device);
}

/**
 * Returns the device that one of a browser's marks names, if the mark was made for this account and its current
 * password. Null for every other browser, and without an account.
 */
export function deviceOf(account: Marked | null, marks: readonly string[]): string | null {
  return marks.find((mark) => fits(account, mark))?.slice(0, DEVICE_CHARACTERS) ?? null;
}

/** Returns whether a mark was made for this account and its current password. */
function fits(account: Marked | null, mark: string): boolean {
  const [device, proof] = [mark.slice(0, DEVICE_CHARACTERS), Buffer.from(mark.slice(DEVICE_CHARACTERS))];
  // Without an account the same hashes are computed, so that the response time does not reveal which accounts exist.
  const about = account ?? { id: 0, passwordHash: null };
  const right = config().secrets.map((secret) => Buffer.from(proofOf(secret, about, device)));
  return right.some((each) => each.length === proof.length && timingSafeEqual(each, proof)) && account !== null;
}

const proofOf = (secret: string, { id, passwordHash }: Marked, device: string): string =>
  keyedHash(secret, "known device", String(id), passwordHash ?? "", device).slice(0, PROOF_CHARACTERS);
