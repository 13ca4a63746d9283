import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonProgram, WITHOUT_PYTHON } from "../python/environment.mjs";
import { type Portal, startPortal } from "../support/portal";

/**
 * Schemathesis reads /openapi.json, generates requests of every kind from it, and validates the answers against it.
 * `npm run test:description` generates more requests; both runs are deterministic.
 */
const schemathesis = pythonProgram("schemathesis");
if (schemathesis === null) process.stdout.write(`Schemathesis is skipped: ${WITHOUT_PYTHON}.\n`);
const isLong = process.env.DESCRIPTION === "long";
const EXAMPLES = isLong ? "50" : "5";
/** Before 3.12, Python sometimes fails when threads compile at once ("AST constructor recursion depth mismatch"). */
const ONE_THREAD = ["--workers", "1"];
const PHASES = "examples,fuzzing";

const GATEWAY = ["--include-path-regex", "^/(v[12]/|health$)"];
/** Excludes operations that would end the session or change its person. */
const SESSION_ENDS = "logout|set-theme|dashboard/(admin/users/.user_id./|toggle-admin-mode|set-admin)";
const PORTAL = ["--exclude-path-regex", `^/(v[12]/|health$|auth/|oauth/|account/|${SESSION_ENDS})`];

let portal: Portal;
let folder: string;
let environment: Record<string, string | undefined>;
beforeAll(async () => {
  if (schemathesis === null) return;
  folder = mkdtempSync(join(tmpdir(), "gw-description-"));
  portal = await startPortal();
  const { browser } = await portal.signInAs("platform_admin", { adminMode: true });
  environment = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    COLUMNS: "120",
    GW_KEY: portal.gateway.key,
    GW_ADMIN_KEY: portal.gateway.adminKey,
    GW_SESSION: browser.cookies.get("gw_session"),
  };
});
afterAll(async () => {
  await portal?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Runs Schemathesis on some operations. Returns its output, which ends with a summary. */
async function tried(options: readonly string[]): Promise<{ code: number | null; output: string }> {
  const common = ["--config-file", resolve("tests/python/schemathesis.toml"), "run", `${portal.url}/openapi.json`];
  const how = ["--url", portal.url, "--phases", PHASES, "--max-examples", EXAMPLES, "--no-shrink", ...ONE_THREAD];
  const child = spawn(schemathesis as string, [...common, ...how, ...options], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | null>((done) => child.once("close", done));
  if (isLong) process.stdout.write(output.slice(output.indexOf("= SUMMARY =")));
  return { code, output };
}

describe.skipIf(schemathesis === null)(
  schemathesis === null ? WITHOUT_PYTHON : "what the description says holds",
  () => {
    test("for the gateway and the management of keys", { timeout: 1_800_000 }, async () => {
      const { code, output } = await tried(GATEWAY);
      expect(code, output).toBe(0);
    });

    test("for the portal, to somebody who may do everything", { timeout: 1_800_000 }, async () => {
      const { code, output } = await tried(PORTAL);
      expect(code, output).toBe(0);
    });
  },
);
