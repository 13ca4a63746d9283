// node scripts/ship.mjs <folder>: copies the files that the built program reads at run time into an empty folder,
// without packages, which `npm ci --omit=dev` adds there. For the Dockerfile, and for a build on one machine that runs
// on another.
import { cpSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Shipped files and folders, whole or with matching file names. @type {{ path: string, files?: RegExp }[]} */
export const SHIPPED = [
  { path: "package.json" },
  { path: "package-lock.json" },
  { path: "LICENSE" },
  { path: "scripts/start.mjs" },
  { path: "build/client" },
  { path: "build/server" },
  // The embedded database and the migrations run in separate processes, from the sources.
  { path: "app/database", files: /^(?:embedded|schema)\/[^/]+\.mjs$/ },
  { path: "app", files: /^[^/]+\/schema\.sql$/ },
  { path: "app/domain", files: /^[^/]+\/(?:sql\/[^/]+|schema)\.sql$/ },
  { path: "prisma/migrations" },
];

/** Returns the shipped files, as paths of the project. */
export function shippedFiles() {
  return SHIPPED.flatMap(({ path, files = /./ }) => {
    if (!existsSync(join(root, path))) throw new Error(`${path} is not there: npm run build makes what is missing`);
    if (!isFolder(path)) return [path];
    const below = readdirSync(join(root, path), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const names = below.map((entry) => join(entry.parentPath, entry.name).slice(join(root, path).length + 1));
    return names
      .map((name) => name.replaceAll("\\", "/"))
      .flatMap((name) => (files.test(name) ? [`${path}/${name}`] : []));
  });
}

const isFolder = (path) => !/\.\w+$|^LICENSE$/.test(path);

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  const [folder] = process.argv.slice(2);
  if (!folder || (existsSync(folder) && readdirSync(folder).length > 0)) {
    process.stderr.write("Name a folder that is empty, or not there yet: node scripts/ship.mjs <folder>\n");
    process.exit(1);
  }
  for (const path of shippedFiles()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(root, path), join(folder, path));
  }
}
