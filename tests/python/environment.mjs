// The Python of the tests: a virtual environment under node_modules with the packages of requirements.txt.
// `node tests/python/environment.mjs` creates it, and prints one line if that fails.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const FOLDER = join(HERE, "../../node_modules/.cache/python");
const STAMP = join(FOLDER, ".requirements");
const REQUIREMENTS = join(HERE, "requirements.txt");

/** The reason for skipped tests without Python packages, for their titles. */
export const WITHOUT_PYTHON = "no Python packages: `node tests/python/environment.mjs` fetches them";

/** Returns the path of a program of the environment, such as `python`; null without an up-to-date environment. */
export function pythonProgram(name) {
  return isReady() ? join(programsOf(FOLDER), name) : null;
}

/** Creates the environment if necessary. Returns whether it is ready. */
export function makeEnvironment(say) {
  if (isReady()) return true;
  say("Fetching the Python packages of the tests …");
  const reason = fillEnvironment(FOLDER, ["-r", REQUIREMENTS]);
  if (reason === null) writeFileSync(STAMP, hash());
  else say(`The tests in Python are skipped: ${reason}.`);
  return reason === null;
}

/** Creates a new virtual environment with packages from pip. Returns the reason of a failure, or null. */
export function fillEnvironment(folder, packages) {
  const python = ["python3", "python"].find((each) => spawnSync(each, ["-c", "import venv, ensurepip"]).status === 0);
  if (python === undefined) return "there is no Python that can make a virtual environment";
  rmSync(folder, { recursive: true, force: true });
  const pip = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--only-binary=:all:"];
  for (const [program, ...options] of [
    [python, "-m", "venv", folder],
    [join(programsOf(folder), "python"), ...pip, ...packages],
  ]) {
    const { status, stderr } = spawnSync(program, options, { encoding: "utf8" });
    if (status !== 0) return String(stderr).trim().split("\n").at(-1);
  }
  return null;
}

const programsOf = (folder) => join(folder, process.platform === "win32" ? "Scripts" : "bin");
const isReady = () => existsSync(STAMP) && readFileSync(STAMP, "utf8") === hash();
const hash = () => createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex");

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  makeEnvironment((line) => process.stdout.write(`${line}\n`));
