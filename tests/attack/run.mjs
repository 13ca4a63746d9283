// npm run test:attack: runs all attacks in full, in about ten minutes, and prints the findings. SEED repeats a run.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const folder = mkdtempSync(join(tmpdir(), "gw-attack-"));
const file = join(folder, "report.jsonl");
const tests = ["node_modules/vitest/vitest.mjs", "run", "--project", "gateway", "tests/attack"];
const env = { ...process.env, ATTACK: "full", ATTACK_REPORT: file };
const { status } = spawnSync(process.execPath, tests, { stdio: "inherit", env });
const findings = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];
rmSync(folder, { recursive: true, force: true });

const number = (value) => (value === undefined || value === null ? "" : String(Math.round(value)));
const columns = [
  ["group", ({ group }) => group],
  ["requests", ({ requests }) => number(requests)],
  ["wrong", ({ wrong }) => number(wrong)],
  ["slowest ms", ({ slowestMs }) => number(slowestMs)],
  ["loop late ms", ({ latestMs }) => number(latestMs)],
  ["memory MB", ({ growthMb }) => number(growthMb)],
];
const rows = [columns.map(([name]) => name), ...findings.map((finding) => columns.map(([, show]) => show(finding)))];
const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at].length)));
const shown = rows.map((row) =>
  row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join("  "),
);
const total = findings.reduce((sum, { requests }) => sum + requests, 0);
process.stdout.write(`\n${shown.join("\n")}\n\n${total} requests in ${findings.length} groups\n`);
process.exit(status ?? 1);
