import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

const ENHANCE = "app/enhance/enhance.ts";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), enhanceAddress()],
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
      resolve: { noExternal: ["lucide-react"] },
      build: { target: "node20", rollupOptions: { input: "./app/server.ts" } },
    },
  },
});

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
