// Own code on purpose: npm has no command for entries that it omits, and a new lock file for each system would raise
// versions. Completes package-lock.json after `npm install`: npm omits optional packages that the registry in use does
// not serve, such as those for other systems, and then `npm ci` rejects the file everywhere. Entries without integrity
// get it from npm's registry. node scripts/complete-lock.mjs
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const MAC_ONLY = ["fsevents"];
const INTEGRITY = /^sha512-[0-9A-Za-z+/]{86}==$/;

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const added = [];
const known = [];
const unknown = [];

for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isThere(path, name)) continue;
    const platform = platformOf(name);
    if (platform === null || !/^\d+\.\d+\.\d+/.test(version)) {
      process.stderr.write(`${name} ${version} of ${path} is missing, and its platform is not in its name.\n`);
      process.exitCode = 1;
      continue;
    }
    added.push(name);
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platform,
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    };
  }
}

for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === "" || entry.link || entry.integrity) continue;
  const name = `${entry.name ?? path.slice(path.lastIndexOf("node_modules/") + 13)}@${entry.version}`;
  const integrity = integrityOf(name);
  (integrity === null ? unknown : known).push(name);
  if (integrity === null) continue;
  const { version, ...more } = entry;
  lock.packages[path] = { version, integrity, ...more };
}

if (added.length + known.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
}
process.stdout.write(`${added.length} packages of other systems added, ${known.length} integrities filled in.\n`);
if (unknown.length > 0) {
  process.stderr.write(`The registry in use says no integrity for ${unknown.length} packages: ${unknown.join(", ")}\n`);
}

/** Returns a package's integrity from the configured registry; null: it does not serve that version. */
function integrityOf(name) {
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const options = { encoding: "utf8", shell: process.platform === "win32" };
  const { stdout, error } = spawnSync(npm, ["view", name, "dist.integrity", "--loglevel=silent"], options);
  if (error) throw error;
  const said = stdout.trim();
  return INTEGRITY.test(said) ? said : null;
}

/** Whether the file has a package that `path` depends on, next to it or in a parent folder. */
function isThere(path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(folder.lastIndexOf("/node_modules/"), 0))) {
    if (lock.packages[`${folder ? `${folder}/` : ""}node_modules/${name}`]) return true;
    if (folder === "") return false;
  }
}

function platformOf(name) {
  if (MAC_ONLY.includes(name)) return { os: ["darwin"] };
  const words = name.split(/[/-]/);
  const cpu = PROCESSORS.find((processor) => words.includes(processor));
  const os = SYSTEMS.find((system) => words.includes(system));
  if (cpu === undefined || (os === undefined && cpu !== "wasm32")) return null;
  const libc = words.includes("musl") ? ["musl"] : words.includes("gnu") ? ["glibc"] : null;
  return { cpu: [cpu], ...(libc && os === "linux" ? { libc } : {}), ...(os ? { os: [os] } : {}) };
}
