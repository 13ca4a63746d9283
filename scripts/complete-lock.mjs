// Completes package-lock.json after `npm install`: npm leaves out optional packages that the registry in use does not serve,
// such as those for other systems, and then `npm ci` refuses the file everywhere. node scripts/complete-lock.mjs
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

const SYSTEMS = ["aix", "android", "darwin", "freebsd", "linux", "netbsd", "openbsd", "openharmony", "sunos", "win32"];
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "mips64el", "ppc64", "riscv64", "s390x", "wasm32", "x64"];
const MAC_ONLY = ["fsevents"];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const added = [];

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

if (added.length > 0) {
  const sorted = Object.entries(lock.packages).sort(([one], [other]) => (one < other ? -1 : 1));
  lock.packages = Object.fromEntries(sorted);
  writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
}
process.stdout.write(`${added.length} packages of other systems added.\n`);

/** Whether a package that `path` asks for is in the file, beside it or in a folder above. */
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
