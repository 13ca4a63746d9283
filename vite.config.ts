import { fileURLToPath } from "node:url";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  environments: {
    // What a room shows to browsers is words and schemas: a page that uses the words only gets no library of schemas.
    client: {
      // The development server looks for dependencies in what only the server loads, too; this one cannot be made for browsers.
      optimizeDeps: { exclude: ["@node-rs/argon2"] },
      build: { rollupOptions: { treeshake: { moduleSideEffects: (id) => !/\/domain\/.*\/shared\.ts$/.test(id) } } },
    },
    // The server bundle starts at the process; the route modules come with it as a virtual module.
    // Icons are bundled one by one: as a whole their package would take 47 MB of the server's memory.
    ssr: {
      resolve: { noExternal: ["lucide-react"] },
      build: { target: "node20", rollupOptions: { input: "./app/server.ts" } },
    },
  },
});
