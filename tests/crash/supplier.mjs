import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Faults of the supplier and their probabilities, and its delays. */
export const FAULTS = {
  faults: { 429: 0.03, 503: 0.03, "error-first": 0.02, "reset-before": 0.01, "no-usage": 0.02 },
  delayMs: [0, 120],
  paceMs: [0, 15],
  tokens: [1, 60],
};

/** Returns a catalogue with one model that the supplier serves, and one whose first route is a closed port. @param {string} standInUrl @param {number} closedPort */
export function catalogue(standInUrl, closedPort) {
  const supplier = (/** @type {string} */ name, /** @type {string} */ baseUrl) => ({
    name,
    kind: "chat",
    base_url: baseUrl,
    region: "eu",
    cooldown: false,
    credentials: [{ name: "main", api_key: "sk-crash" }],
  });
  const model = (/** @type {string} */ id, /** @type {string[]} */ ...suppliers) => ({
    id,
    owned_by: "stand-in",
    capability: "chat",
    context_tokens: 32_000,
    max_output_tokens: 1_000,
    routes: suppliers.map((name, index) => ({
      supplier: name,
      upstream_model: "upstream",
      priority: index + 1,
      weight: 1,
      price: { input_per_mtok: 0.5, output_per_mtok: 1.5 },
    })),
  });
  return {
    suppliers: [supplier("stand-in", standInUrl), supplier("closed", `http://127.0.0.1:${closedPort}/v1`)],
    models: [model("crash-chat", "stand-in"), model("crash-backed-chat", "closed", "stand-in")],
  };
}

/** Starts the supplier in its own process, with its bill. */
export async function startStandIn() {
  const folder = await mkdtemp(join(tmpdir(), "gw-crash-bill-"));
  const main = fileURLToPath(new URL("../support/stand-in-supplier/main.mjs", import.meta.url));
  const child = spawn(process.execPath, [main, join(folder, "bill.jsonl")], { stdio: ["pipe", "pipe", "inherit"] });
  const port = await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the stand-in supplier ended with ${code}`)));
    child.stdout.once("data", (chunk) => resolve(String(chunk).trim()));
  });
  const origin = `http://127.0.0.1:${port}`;
  return {
    url: `${origin}/v1`,
    /** @param {string} path @param {object} [body] */
    ask: async (path, body) => {
      const init = body === undefined ? undefined : { method: "POST", body: JSON.stringify(body) };
      return (await fetch(`${origin}${path}`, init)).json();
    },
    close: async () => {
      child.removeAllListeners("exit");
      child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
