import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isErrorCode } from "~/errors/catalogue";
import type { GatewayOptions } from "../support/gateway";
import { type Portal, startPortal } from "../support/portal";

/** `npm run test:attack` sets it; without it every group runs in a short form, as part of `npm test`. */
export const FULL = process.env.ATTACK === "full";
export const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** How late the event loop may be, and how often an attack is repeated on a busy machine before that counts. */
export const MAX_LATENESS_MS = 100;
export const ATTEMPTS = 3;

type Lateness = { latestMs: number; rssMb: number };

export type Target = Portal & {
  /** The event loop's greatest lateness since the last call, as the server's own process measures it. */
  lateness(): Promise<Lateness>;
};

/**
 * A gw with its portal whose event loop is watched from inside. Its answers are not recorded, because that would be part of
 * what is measured.
 */
export async function startTarget(options: GatewayOptions = {}): Promise<Target> {
  const preload = fileURLToPath(new URL("./loop-lateness.mjs", import.meta.url));
  const portal = await startPortal({ ...options, env: { NODE_OPTIONS: `--import=${preload}`, ...options.env } });
  const { gateway } = portal;
  const readings = () => [...gateway.output().matchAll(/^loop-lateness (\{.*\})$/gm)];
  return {
    ...portal,
    async lateness() {
      const before = readings().length;
      gateway.process.kill("SIGUSR2");
      for (let tries = 0; tries < 3_000; tries += 1) {
        const reading = readings()[before];
        if (reading) return JSON.parse(reading[1] as string) as Lateness;
        await pause(10);
      }
      throw new Error("the server does not say how late its loop is");
    },
  };
}

/** What a group of attacks found, for the table at the end. */
export type AttackFinding = {
  group: string;
  requests: number;
  /** What is wrong, each in a line; empty when the attack was repelled. */
  wrong: readonly string[];
  slowestMs?: number;
  latestMs?: number;
  growthMb?: number;
};

/** Adds a line to the table of `npm run test:attack`. */
export function report(finding: AttackFinding): void {
  const file = process.env.ATTACK_REPORT;
  if (file) appendFileSync(file, `${JSON.stringify({ ...finding, wrong: finding.wrong.length })}\n`);
}

/** Runs `work` over a list, `atOnce` at a time, and returns what it says, without the nulls. */
export async function overAll<T>(
  list: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<string | null>,
): Promise<string[]> {
  const said: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < list.length) {
      const item = list[next] as T;
      next += 1;
      const line = await work(item);
      if (line !== null) said.push(line);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return said.toSorted();
}

/** What retired operations, and those of payments without a processor, answer to everything. */
const ANNOUNCED = [
  [501, "not_implemented"],
  [503, "billing_unavailable"],
] as const;

/** Why an answer is no good one: a failure of the program, a refusal without its code, a trace. Null when it is. */
export function faultIn(status: number, type: string | null, body: string): string | null {
  if (/node_modules|\bat \w+ \(|prisma|SELECT .* FROM/i.test(body) && status >= 400) return `${status} with a trace`;
  if (status >= 500 && !ANNOUNCED.some(([what, code]) => status === what && body.includes(`"${code}"`)))
    return `status ${status}: ${body.slice(0, 120)}`;
  if (status < 400 || !type?.startsWith("application/json")) return null;
  const { error, code } = JSON.parse(body) as { error?: { code?: string }; code?: string };
  const told = error?.code ?? code;
  return told !== undefined && isErrorCode(told) ? null : `${status} without a code: ${body.slice(0, 120)}`;
}
