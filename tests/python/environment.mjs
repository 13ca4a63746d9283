// The Python of the tests: a virtual environment under node_modules with the packages of requirements.txt.
// `node tests/python/environment.mjs` makes it, and says in one line when it cannot.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = dirname(fileURLToPath(import.meta.url));
const FOLDER = join(HERE, "../../node_modules/.cache/python");
const BIN = join(FOLDER, process.platform === "win32" ? "Scripts" : "bin");
const STAMP = join(FOLDER, ".requirements");
const REQUIREMENTS = join(HERE, "requirements.txt");

/** Why a run goes without Python, for the name of what it skips. */
export const WITHOUT_PYTHON = "no Python packages: `node tests/python/environment.mjs` fetches them";

/** The path of a program of the environment, such as `python`; null when the environment is not there or is another's. */
export function pythonProgram(name) {
  return isReady() ? join(BIN, name) : null;
}

/** Makes the environment. Returns whether it is there. */
export function makeEnvironment(say) {
  if (isReady()) return true;
  const python = ["python3", "python"].find((each) => spawnSync(each, ["-c", "import venv, ensurepip"]).status === 0);
  if (python === undefined) return refuse("there is no Python that can make a virtual environment");
  say("Fetching the Python packages of the tests …");
  rmSync(FOLDER, { recursive: true, force: true });
  const steps = [
    [python, "-m", "venv", FOLDER],
    [
      join(BIN, "python"),
      "-m",
      "pip",
      "install",
      "-q",
      "--disable-pip-version-check",
      "--only-binary=:all:",
      "-r",
      REQUIREMENTS,
    ],
  ];
  for (const [program, ...options] of steps) {
    const { status, stderr } = spawnSync(program, options, { encoding: "utf8" });
    if (status !== 0) return refuse(String(stderr).trim().split("\n").at(-1));
  }
  writeFileSync(STAMP, hash());
  return true;

  function refuse(reason) {
    say(`The tests in Python are skipped: ${reason}.`);
    return false;
  }
}

const isReady = () => existsSync(STAMP) && readFileSync(STAMP, "utf8") === hash();
const hash = () => createHash("sha256").update(readFileSync(REQUIREMENTS)).digest("hex");

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  makeEnvironment((line) => process.stdout.write(`${line}\n`));
