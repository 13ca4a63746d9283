import { spawn } from "node:child_process";
import { expect, test } from "vitest";

test("kill -9 under load loses no charge and doubles none (short form of npm run test:crash)", async () => {
  const child = spawn(process.execPath, ["tests/crash/kill-nine.mjs", "--kills", "4", "--clients", "8"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect(code, output).toBe(0);
}, 180_000);
