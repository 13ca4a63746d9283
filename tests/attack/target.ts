import { appendFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isErrorCode } from "~/errors/catalogue";
import type { GatewayOptions } from "../support/gateway";
import { type Portal, startPortal } from "../support/portal";

/** Set by `npm run test:attack`; otherwise every group runs in a short form, as part of `npm test`. */
export const FULL = process.env.ATTACK === "full";
export const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** Maximum delay of the event loop in milliseconds. `ATTEMPTS`: repetitions before a longer delay is an error. */
export const MAX_LATENESS_MS = 100;
export const ATTEMPTS = 3;

type Lateness = { latestMs: number; rssMb: number };

export type Target = Portal & {
  /** Returns the maximum delay of the event loop since the last call, measured in the server's process. */
  lateness(): Promise<Lateness>;
};

/**
 * Starts a gw with its portal that measures its own event loop. Its answers are not recorded, because recording would
 * affect the measurement.
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

/** The result of a group of attacks, for the final table. */
export type AttackFinding = {
  group: string;
  requests: number;
  /** Findings, one per line; empty if the attack failed. */
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

/** Runs `work` on the items of a list, `atOnce` concurrently. Returns the results that are not null. */
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

/** Answers of retired operations, and of payment operations without a processor. */
const ANNOUNCED = [
  [501, "not_implemented"],
  [503, "billing_unavailable"],
] as const;

/** Returns the fault of an answer: a program error, an error without a code, or a stack trace. Null without a fault. */
export function faultIn(status: number, type: string | null, body: string): string | null {
  if (/node_modules|\bat \w+ \(|prisma|SELECT .* FROM/i.test(body) && status >= 400) return `${status} with a trace`;
  if (status >= 500 && !ANNOUNCED.some(([what, code]) => status === what && body.includes(`"${code}"`)))
    return `status ${status}: ${body.slice(0, 120)}`;
  if (status < 400 || !type?.startsWith("application/json")) return null;
  const { error, code } = JSON.parse(body) as { error?: { code?: string }; code?: string };
  const told = error?.code ?? code;
  return told !== undefined && isErrorCode(told) ? null : `${status} without a code: ${body.slice(0, 120)}`;
}
