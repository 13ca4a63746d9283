// npm run test:faults: every fault in every protocol, including slow faults, five times or FAULT_REPEATS times.
import { spawnSync } from "node:child_process";
import process from "node:process";

const tests = ["node_modules/vitest/vitest.mjs", "run", "--project", "gateway", "tests/gateway/faults"];
const env = { ...process.env, FAULT_REPEATS: process.env.FAULT_REPEATS ?? "5" };
process.exit(spawnSync(process.execPath, tests, { stdio: "inherit", env }).status ?? 1);
