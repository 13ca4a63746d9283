import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BillEntry } from "./stand-in-supplier/bill.mjs";
import type { Plan } from "./stand-in-supplier/plan.mjs";
import type { SeenRequest } from "./stand-in-supplier/record.mjs";

export type { BillEntry };

type Seen = {
  requests: SeenRequest[];
  sockets: number;
  maxSockets: number;
  inFlight: number;
  maxInFlight: number;
};

/** A supplier with a chat-style and a messages-style API, in a process of its own, that keeps its own bill and fails as it is told. */
export type StandIn = {
  /** With the version path, as `base_url` of a supplier wants it. */
  url: string;
  /** What it has worked, request by request; the oracle of every check on money. */
  bill(): Promise<BillEntry[]>;
  /** Replaces the plan; what is left out is quiet. */
  plan(plan: Partial<Plan>): Promise<void>;
  seen(id?: string): Promise<Seen>;
  forget(): Promise<void>;
  close(): Promise<void>;
};

const MAIN = fileURLToPath(new URL("./stand-in-supplier/main.mjs", import.meta.url));

export async function startStandIn(): Promise<StandIn> {
  const folder = await mkdtemp(join(tmpdir(), "gw-stand-in-"));
  const child = spawn(process.execPath, [MAIN, join(folder, "bill.jsonl")], { stdio: ["pipe", "pipe", "inherit"] });
  const port = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the stand-in supplier ended with ${code}`)));
    child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
  });
  const origin = `http://127.0.0.1:${port}`;
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${origin}${path}`, init);
    if (!response.ok) throw new Error(`the stand-in supplier answered ${response.status}`);
    return response.json();
  };
  return {
    url: `${origin}/v1`,
    bill: () => ask("/__bill"),
    plan: (plan) => ask("/__plan", { method: "POST", body: JSON.stringify(plan) }),
    seen: (id) => ask(`/__seen${id === undefined ? "" : `?id=${id}`}`),
    forget: () => ask("/__seen", { method: "DELETE" }),
    close: async () => {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
