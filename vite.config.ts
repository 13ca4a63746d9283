import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { transform } from "esbuild";
import { defineConfig, type Plugin, type Rolldown } from "vite";

const ENHANCE = "app/enhance/enhance.ts";

/**
 * Packages in the server bundle. They consist of dozens of files each; to find and read these took a fifth of a start.
 * They and their own dependencies are not production dependencies.
 */
const BUNDLED = [
  ...["@conform-to/dom", "@conform-to/react", "@conform-to/zod", "zod"],
  ...["@hono/node-server", "hono"],
  ...["@zxcvbn-ts/core", "fastest-levenshtein"],
  ...["jose", "libphonenumber-js", "stripe", "yaml"],
];

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), enhanceAddress(), queryCompilerAsFile(), inPieces(), narrowServerText()],
  build: { reportCompressedSize: false },
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  environments: {
    // The shared files of rooms contain texts and schemas: a page that uses only the texts must not load the schema
    // library.
    client: {
      // The development server also scans server-only imports for dependencies; this package cannot be built for
      // browsers.
      optimizeDeps: { exclude: ["@node-rs/argon2"] },
      build: {
        rollupOptions: {
          // React Router adds its own entries. The script of plain pages is an additional one, with a content hash in
          // its name, too.
          input: [ENHANCE],
          treeshake: { moduleSideEffects: (id) => !/\/domain\/.*\/shared\.ts$/.test(id) },
        },
      },
    },
    // The server bundle starts at the process; the route modules come with it as a virtual module. Icons are bundled
    // one by one: the whole package would take 47 MB of the server's memory.
    ssr: {
      resolve: { noExternal: command === "build" ? ["lucide-react", ...BUNDLED] : ["lucide-react"] },
      build: {
        target: "node20",
        rollupOptions: { input: "./app/server.ts" },
      },
    },
  },
}));

/**
 * `virtual:enhance-address` is the browser's URL of the script of plain pages: the built file, or its source in
 * development.
 */
function enhanceAddress(): Plugin {
  const name = "virtual:enhance-address";
  let development = false;
  return {
    name: "enhance-address",
    configResolved: ({ command }) => {
      development = command === "serve";
    },
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      if (development) return `export default ${JSON.stringify(`/${ENHANCE}`)}`;
      // The client is built before the server, and its manifest exists until the whole build ends.
      const manifest = join(import.meta.dirname, "build/client/.vite/manifest.json");
      const entries = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, { file: string }>;
      const file = entries[ENHANCE]?.file;
      if (file === undefined) throw new Error(`${ENHANCE} is not in ${manifest}`);
      return `export default ${JSON.stringify(`/${file}`)}`;
    },
  };
}

const MAX_PIECE_LENGTH = 250_000;

/**
 * Splits the server into pieces: V8 keeps the syntax tree of a whole script in memory while it parses it, and the C
 * library hardly returns that heap. The modules are sorted in execution order and then cut, so that no piece needs a
 * later one.
 */
function inPieces(): Plugin {
  let places = new Map<string, string>();
  return {
    name: "in-pieces",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    // The entry may export names for the pieces.
    options: (options) => ({ ...options, preserveEntrySignatures: "allow-extension" }),
    outputOptions: (options) => ({
      ...options,
      // A minifier that removes dead code would also rewrite each piece, after `narrowServerText`.
      minify: false,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: (id) => places.get(id) ?? null }],
      },
    }),
    renderStart() {
      places = placesOf(this);
    },
  };
}

function placesOf(modules: Pick<Rolldown.PluginContext, "getModuleIds" | "getModuleInfo">): Map<string, string> {
  const places = new Map<string, string>();
  const seen = new Set<string>();
  // Dynamically imported modules come after their importers, in pieces of their own.
  const later = [...modules.getModuleIds()].filter((id) => modules.getModuleInfo(id)?.isEntry);
  for (const [place, first] of later.entries()) {
    let [piece, length] = [0, 0];
    const visit = (id: string): void => {
      const module = modules.getModuleInfo(id);
      if (module === null || seen.has(id)) return;
      seen.add(id);
      for (const each of module.importedIds) visit(each);
      const size = module.code?.length ?? 0;
      if (length > 0 && length + size > MAX_PIECE_LENGTH) [piece, length] = [piece + 1, 0];
      length += size;
      places.set(id, `server-${place}-${piece}`);
      later.push(...module.dynamicallyImportedIds);
    };
    visit(first);
  }
  return places;
}

/**
 * A single character beyond Latin-1 makes V8 store a whole file with two bytes per character while the process lives.
 * Names stay, and lines are short, so that stack traces are readable.
 */
function narrowServerText(): Plugin {
  return {
    name: "narrow-server-text",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    renderChunk: {
      // After Vite's own step, which would insert such characters again.
      order: "post",
      async handler(code, { fileName }) {
        const settings = { charset: "ascii", minifyWhitespace: true, minifySyntax: true, lineLimit: 160 } as const;
        const narrow = await transform(code, { ...settings, format: "esm", sourcefile: fileName, target: "node20" });
        return { code: narrow.code, map: null };
      },
    },
  };
}

const QUERY_COMPILER =
  /const \{ wasm \} = await import\("([^"]+\.wasm-base64\.mjs)"\)\s+return await decodeBase64AsWasm\(wasm\)/;
const QUERY_COMPILER_FILE = "query-compiler.wasm";

/**
 * Writes Prisma's query compiler to a file beside the server: in its original form it is a text that stays in memory
 * twice. Its functions are compiled at their first call and not optimised: Prisma caches its plans, and an optimising
 * compilation leaves some 12 MB in the C library's heap.
 */
function queryCompilerAsFile(): Plugin {
  let bytes: Buffer | null = null;
  return {
    name: "query-compiler-as-file",
    enforce: "pre",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    async transform(code, id) {
      if (!id.endsWith("/generated/prisma/internal/class.ts")) return undefined;
      const source = QUERY_COMPILER.exec(code)?.[1];
      if (source === undefined) throw new Error(`${id} does not load its query compiler as it used to`);
      const { wasm } = (await import(import.meta.resolve(source))) as { wasm: string };
      bytes = Buffer.from(wasm, "base64");
      const read = `const [{ readFile }, { setFlagsFromString }] = await Promise.all([import("node:fs/promises"), import("node:v8")]);
        const bytes = await readFile(new URL("./${QUERY_COMPILER_FILE}", import.meta.url));
        const set = (...flags) => flags.forEach((flag) => setFlagsFromString("--" + flag));
        set("liftoff-only", "wasm-lazy-compilation");
        try {
          return await WebAssembly.compile(bytes);
        } finally {
          // The first has switched off more than its opposite switches on: other modules would never be optimised.
          set("no-liftoff-only", "no-wasm-lazy-compilation", "wasm-tier-up", "wasm-dynamic-tiering");
        }`;
      return { code: code.replace(QUERY_COMPILER, () => read), map: null };
    },
    writeBundle({ dir }) {
      if (bytes === null || dir === undefined) throw new Error("the query compiler was not found");
      writeFileSync(join(dir, "assets", QUERY_COMPILER_FILE), bytes);
    },
  };
}
