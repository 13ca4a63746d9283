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

/** A supplier with chat-style and messages-style APIs in its own process. It keeps its bill and fails on request. */
export type StandIn = {
  /** Base URL including the version path, as for a supplier's `base_url`. */
  url: string;
  /** Returns the work done for each request; all checks of money compare with it. */
  bill(): Promise<BillEntry[]>;
  /** Replaces the plan; omitted fields take the values of the quiet plan. */
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
