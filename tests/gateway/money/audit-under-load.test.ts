import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

// The short version of node tests/crash/audit-under-load.mjs.
test("the books are in order at every moment under load, also when a process dies", async () => {
  const run = promisify(execFile)(process.execPath, ["tests/crash/audit-under-load.mjs", "--seconds", "6"]);
  const { stdout } = await run.catch((failure: { stdout: string }) => failure);
  expect(stdout).toContain("the books were in order all the time");
}, 120_000);
