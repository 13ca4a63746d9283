import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

/** Runs `script` in a process of its own, with the module imported as `strays`. */
function run(script: string) {
  const whole = `
    import { setTimeout as pause } from "node:timers/promises";
    import { withModules } from "./scripts/load-module.mjs";
    await withModules(async (load) => {
      const strays = await load("app/observe/unhandled-rejections.server.ts");
      ${script}
      Promise.reject(new Error("the last file handle is gone"));
      await pause(200);
      process.stdout.write("alive");
    });`;
  const { status, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", whole], { encoding: "utf8" });
  return { status, stdout };
}

test("a promise that nobody listens to is logged, and the process goes on", { timeout: 30_000 }, () => {
  const { status, stdout } = run("strays.handleUnhandledRejections();");
  expect(status).toBe(0);
  expect(stdout).toContain("unhandled rejection; the process goes on");
  expect(stdout).toContain("the last file handle is gone");
  expect(stdout).toContain("alive");
  expect(run("strays.handleUnhandledRejections()();").status).toBe(1);
});
