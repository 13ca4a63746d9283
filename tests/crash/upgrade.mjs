// Upgrades an installation under load. A server of the previous version runs; this version starts on the same database,
// and both serve. The previous version is killed, restarted, and then stopped. No call may get a 500, and the books
// must agree with the supplier's bill.
// node tests/crash/upgrade.mjs [--seconds 20] [--clients 8] [--seed N] [--from <commit>]; needs TEST_DATABASE_URL.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { fractionOf } from "../support/stand-in-supplier/random.mjs";
import { startLoad } from "./load.mjs";
import { CrashServer, LEASE_MS } from "./server.mjs";
import { catalogue, FAULTS, startStandIn } from "./supplier.mjs";
import { verdictOn } from "./verdict.mjs";

/** Commit of the previous release. */
const BEFORE = "6b0bbbdfd8aa668dba6a58ac4ec71b9e950687d3";
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    clients: { type: "string", default: "8" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    from: { type: "string", default: BEFORE },
  },
});
const phaseMs = (Number(values.seconds) * 1_000) / 4;
let draws = 0;
const random = () => {
  draws += 1;
  return fractionOf(`${values.seed}/${draws}`);
};
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

const root = process.env.TEST_DATABASE_URL ? versionBefore(values.from) : null;
if (root === null) {
  say(
    `SKIPPED: ${process.env.TEST_DATABASE_URL ? `${values.from} cannot be built here` : "TEST_DATABASE_URL is not set"}`,
  );
  process.exit(0);
}

const standIn = await startStandIn();
const configFor = (/** @type {number} */ closedPort) => catalogue(standIn.url, closedPort);
const older = await CrashServer.prepare(configFor);
older.root = root;
const newer = await older.beside(configFor, ROOT);
let failed = false;
try {
  say(`upgrade from ${values.from.slice(0, 8)} under load, --seed ${values.seed}`);
  await standIn.ask("/__plan", { seed: values.seed, ...FAULTS });
  await older.start();
  const key = await older.createKey({ budget_limit: 1_000, budget_period: "monthly" });
  const load = { key, clients: Number(values.clients), random };
  const before = startLoad({ ...load, url: older.url });
  await pause(phaseMs);
  const beganAt = Date.now();
  await newer.start();
  say(`  this version was ready beside the one before after ${Date.now() - beganAt} ms`);
  const beside = startLoad({ ...load, url: newer.url });
  await pause(phaseMs);
  await older.kill("SIGKILL");
  await older.start();
  say("  the one before was killed and has started again");
  await pause(phaseMs);
  const ofOlder = await before.stop();
  await older.kill("SIGTERM");
  await pause(phaseMs);
  const ofNewer = await beside.stop();
  await pause(2 * LEASE_MS);
  const { defects, figures } = verdictOn({
    bill: await standIn.ask("/__bill"),
    holds: await newer.sql("SELECT id, state, amount::text, captured::text, reason FROM hold"),
    usage: await newer.sql(
      "SELECT request_id AS id, charged::text, cost::text, token_source AS source, outcome FROM usage_event",
    ),
    audit: await newer.sql("SELECT * FROM ledger_audit"),
    completed: new Set([...ofOlder.completed, ...ofNewer.completed]),
  });
  for (const [version, { statuses, completed }] of Object.entries({ before: ofOlder, this: ofNewer })) {
    say(`  ${version}: ${JSON.stringify(statuses)}`);
    if (statuses[500] !== undefined) defects.push(`${statuses[500]} calls of the version "${version}" got 500`);
    if (completed.size === 0) defects.push(`the version "${version}" has served nothing`);
  }
  say(`  ${JSON.stringify(figures)}`);
  for (const defect of defects.slice(0, 40)) say(`  DEFECT ${defect}`);
  failed = defects.length > 0;
  if (failed) say(`${older.output()}\n${newer.output()}`);
} catch (error) {
  failed = true;
  say(`${/** @type {Error} */ (error).stack}\n${older.output()}\n${newer.output()}`);
} finally {
  await newer.remove();
  await older.remove();
  await standIn.close();
}
say(failed ? "FAILED" : "both versions served, and the books agree with the supplier's bill");
process.exitCode = failed ? 1 : 0;

/**
 * Returns the folder of a built commit, which is built only once. Null if the clone lacks the commit, or if the commit
 * needs other packages than the installed ones.
 * @param {string} commit
 */
function versionBefore(commit) {
  const folder = join(tmpdir(), `gw-version-${commit.slice(0, 12)}`);
  if (existsSync(join(folder, "build/server/index.js"))) return folder;
  const draft = `${folder}-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const archive = spawnSync("git", ["archive", commit], { cwd: ROOT, maxBuffer: 1e9 });
  const unpacked =
    archive.status === 0 && spawnSync("tar", ["-x", "-C", draft], { input: archive.stdout }).status === 0;
  const lock = (/** @type {string} */ of) => readFileSync(join(of, "package-lock.json"), "utf8");
  if (!unpacked || lock(draft) !== lock(ROOT)) {
    rmSync(draft, { recursive: true, force: true });
    return null;
  }
  symlinkSync(join(ROOT, "node_modules"), join(draft, "node_modules"));
  say(`  building ${commit.slice(0, 8)} …`);
  const built = spawnSync(process.execPath, ["scripts/prepare.mjs", "build"], { cwd: draft, encoding: "utf8" });
  if (built.status !== 0) {
    say(`${built.stdout}${built.stderr}`);
    rmSync(draft, { recursive: true, force: true });
    return null;
  }
  renameSync(draft, folder);
  return folder;
}
