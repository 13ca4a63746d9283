import type { Headroom } from "./shared";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const remembered = new Map<string, Headroom>();
const keyOf = ({ provider, keyName }: { provider: string; keyName: string }) => `${provider}\n${keyName}`;

/**
 * Stores the remaining allowance of a credential, if a supplier's response reports it. In the memory of this process
 * only.
 */
export function recordHeadroom(credential: { provider: string; keyName: string }, headers: Headers): void {
  const headroom = headroomIn(headers, Date.now());
  if (headroom !== null) remembered.set(keyOf(credential), headroom);
}

/** Returns the last reported allowance of a credential; null: none was reported. */
export const headroomOf = (credential: { provider: string; keyName: string }): Headroom | null =>
  remembered.get(keyOf(credential)) ?? null;

/** Reads `x-ratelimit-remaining-requests` and similar headers, and `…-used-percent` of the agents' services. */
function headroomIn(headers: Headers, at: number): Headroom | null {
  let isReported = false;
  const numbers: Record<string, number> = {};
  for (const name of Object.keys(headers)) {
    if (!name.startsWith("x-ratelimit-") && !name.endsWith("-used-percent")) continue;
    const value = headers[name];
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
    if (!Number.isFinite(number) || number < 0) continue;
    numbers[name] = number;
    isReported = true;
  }
  if (!isReported) return null;
  const pair = (what: string) => {
    const left = numbers[`x-ratelimit-remaining-${what}`];
    return left === undefined ? null : { left, of: numbers[`x-ratelimit-limit-${what}`] ?? null };
  };
  const percents = Object.entries(numbers).filter(([name]) => name.endsWith("-used-percent"));
  const used = Object.fromEntries(
    percents.map(([name, number]) => [name.replace(/^x-/, "").replace(/-used-percent$/, ""), number]),
  );
  return { requests: pair("requests"), tokens: pair("tokens"), used, at };
}
