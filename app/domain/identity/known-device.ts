import { randomBytes, timingSafeEqual } from "node:crypto";
import { config } from "~/config.server";
import { keyedHash } from "./keyed-hash";

const DEVICE_BYTES = 12;
const DEVICE_CHARACTERS = 16;
const PROOF_CHARACTERS = 32;

/** What of an account a mark is bound to: with another password, every mark is worth nothing. */
type Marked = { id: number; passwordHash: string | null };

/**
 * A mark for a browser in which an account has just been signed in to. Nobody can make one up, and it fits this account
 * and its present password only. `before`: the mark that the browser has already, which stays the same device.
 */
export function markDevice(account: Marked, before: readonly string[] = []): string {
  const device = deviceOf(account, before) ?? randomBytes(DEVICE_BYTES).toString("base64url");
  return device + proofOf(config().secrets[0] ?? "", account, device);
}

/**
 * The device that one of a browser's marks names, when it was made for this account and its present password; null for
 * any other browser, and without an account.
 */
export function deviceOf(account: Marked | null, marks: readonly string[]): string | null {
  return marks.find((mark) => fits(account, mark))?.slice(0, DEVICE_CHARACTERS) ?? null;
}

/** Whether a mark was made for this account and its present password. */
function fits(account: Marked | null, mark: string): boolean {
  const [device, proof] = [mark.slice(0, DEVICE_CHARACTERS), Buffer.from(mark.slice(DEVICE_CHARACTERS))];
  // Without an account as much is computed, so that time tells nobody which accounts exist.
  const about = account ?? { id: 0, passwordHash: null };
  const right = config().secrets.map((secret) => Buffer.from(proofOf(secret, about, device)));
  return right.some((each) => each.length === proof.length && timingSafeEqual(each, proof)) && account !== null;
}

const proofOf = (secret: string, { id, passwordHash }: Marked, device: string): string =>
  keyedHash(secret, "known device", String(id), passwordHash ?? "", device).slice(0, PROOF_CHARACTERS);
