import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

test.each([
  ["fails", [], 1, "nothing was tested"],
  ["passes when it is told that they need not be there", ["--if-available"], 0, "skipped"],
])("a run of the coding agents that cannot be fetched %s", (_how, args, status, words) => {
  const folder = mkdtempSync(join(tmpdir(), "gw-no-agents-"));
  // An empty PATH makes npm unavailable.
  const env = { ...process.env, GW_AGENTS_DIR: folder, PATH: folder };
  const run = spawnSync(process.execPath, ["tests/agents/run.mjs", ...args], { env, encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  expect([run.status, run.stdout]).toEqual([status, expect.stringContaining(words)]);
});
