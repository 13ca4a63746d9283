// npm run seed: fills an empty installation with a demo: three organisations, thirty people, sixty days of traffic.
// -- --seed <number>       seed of the history; equal numbers give equal histories
// -- --add-to-existing     allows other organisations in the installation; cannot be undone
// Exit code 0: done; 1: refused or failed.
import process from "node:process";
import { parseArgs } from "node:util";
import { withModules } from "./load-module.mjs";

const options = { seed: { type: "string", default: "1" }, "add-to-existing": { type: "boolean", default: false } };

try {
  const { values } = parseArgs({ options });
  if (!/^\d{1,9}$/.test(values.seed)) throw new Error("--seed takes a whole number.");
  await withModules(async (load) => {
    const { seedInstallation } = await load("scripts/seed/seed.ts");
    const { summaryOf } = await load("scripts/seed/summary.ts");
    const began = performance.now();
    const seeded = await seedInstallation({
      seed: Number(values.seed),
      days: 60,
      scale: 0.45,
      addToExisting: values["add-to-existing"],
      say: (line) => process.stderr.write(`${line}\n`),
    });
    process.stdout.write(summaryOf(seeded, (performance.now() - began) / 1000));
  });
} catch (error) {
  const isPlain = error?.name === "ConfigError" || String(error?.code).startsWith("ERR_PARSE_ARGS");
  process.stderr.write(`${isPlain ? error.message : error?.stack}\n`);
  process.exitCode = 1;
}
