import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin, type Rollup, transformWithEsbuild } from "vite";

const ENHANCE = "app/enhance/enhance.ts";

/**
 * Packages that the server has in its bundle, because they are dozens of files each: to find and read them one by one was a fifth of a
 * start. They are no dependencies of production, and neither is what only they need.
 */
const BUNDLED = [
  ...["@conform-to/dom", "@conform-to/react", "@conform-to/zod", "zod"],
  ...["@hono/node-server", "hono"],
  ...["@zxcvbn-ts/core", "fastest-levenshtein"],
  ...["jose", "libphonenumber-js", "stripe", "yaml"],
];

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter(), enhanceAddress(), queryCompilerAsFile(), narrowServerText()],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  environments: {
    // What a room shows to browsers is words and schemas: a page that uses the words only gets no library of schemas.
    client: {
      // The development server looks for dependencies in what only the server loads, too; this one cannot be made for browsers.
      optimizeDeps: { exclude: ["@node-rs/argon2"] },
      build: {
        rollupOptions: {
          // React Router adds its own entries: the script of plain pages is one more, with a name by content like the others.
          input: [ENHANCE],
          treeshake: { moduleSideEffects: (id) => !/\/domain\/.*\/shared\.ts$/.test(id) },
        },
      },
    },
    // The server bundle starts at the process; the route modules come with it as a virtual module.
    // Icons are bundled one by one: as a whole their package would take 47 MB of the server's memory.
    ssr: {
      resolve: { noExternal: command === "build" ? ["lucide-react", ...BUNDLED] : ["lucide-react"] },
      build: {
        target: "node20",
        rollupOptions: { input: "./app/server.ts", output: { manualChunks: inPieces() } },
      },
    },
  },
}));

/** `virtual:enhance-address` is where browsers find the script of plain pages: as built, or its source in development. */
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
      // The client is built before the server, and its manifest is there until the whole build is done.
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
 * The server in pieces: the tree of a script is in memory as a whole while the engine reads it, and what that takes of the C library's
 * heap is hardly given back. Modules are put in the order in which they run, which is then cut: no piece needs one behind it.
 */
function inPieces(): Rollup.GetManualChunk {
  let places: Map<string, string> | null = null;
  return (id, about) => {
    places ??= placesOf(about);
    return places.get(id);
  };
}

function placesOf({ getModuleIds, getModuleInfo }: Parameters<Rollup.GetManualChunk>[1]): Map<string, string> {
  const places = new Map<string, string>();
  const seen = new Set<string>();
  // What is imported when it is needed comes behind what needs it, in pieces of its own.
  const later = [...getModuleIds()].filter((id) => getModuleInfo(id)?.isEntry);
  for (const [place, first] of later.entries()) {
    let [piece, length] = [0, 0];
    const visit = (id: string): void => {
      const module = getModuleInfo(id);
      if (module === null || module.isExternal || seen.has(id)) return;
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
 * One letter beyond Latin-1 makes the engine keep a whole file in two bytes a letter, for as long as the process lives. Names stay, and
 * lines are short, so that a trace says where it was.
 */
function narrowServerText(): Plugin {
  return {
    name: "narrow-server-text",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "ssr",
    renderChunk: {
      // Behind Vite's own, which would widen it again.
      order: "post",
      async handler(code, { fileName }) {
        const settings = { charset: "ascii", minifyWhitespace: true, minifySyntax: true, lineLimit: 160 } as const;
        const narrow = await transformWithEsbuild(code, fileName, { ...settings, target: "node20", sourcemap: false });
        return { code: narrow.code, map: null };
      },
    },
  };
}

const QUERY_COMPILER =
  /const \{ wasm \} = await import\("([^"]+\.wasm-base64\.mjs)"\)\s+return await decodeBase64AsWasm\(wasm\)/;
const QUERY_COMPILER_FILE = "query-compiler.wasm";

/**
 * Prisma's query compiler as a file beside the server: in its own form it is a text that stays in memory twice. It is translated function by
 * function, when one is first called, and not optimised: Prisma keeps the plans that it makes, and an optimising translation leaves
 * some 12 MB in the C library's heap.
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
