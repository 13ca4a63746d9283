import type { KnipConfig } from "knip";

/** Finds files, exports and dependencies that nothing uses. An entry is what a command or a process starts by its name. */
export default {
  entry: [
    "app/server.ts",
    "app/database/{embedded/embedded,schema/migrate}-child.mjs",
    "scripts/*.mjs",
    "scripts/bench/{load,raw-proxy,upstream}.mjs",
    "tests/*/run.mjs",
    "tests/agents/{ai-sdk-session,notes-server}.mjs",
    "tests/agents/vitest.config.ts",
    "tests/support/described/record-answers.mjs",
  ],
  project: ["{app,scripts,tests,prisma}/**/*.{ts,tsx,mjs,css}", "*.ts"],
  // What a command loads through Vite (scripts/load-module.mjs) is an import like others.
  compilers: { mjs: (text: string) => text.replace(/\bload\("((?:app|scripts)\/[^"]+)"\)/g, 'import("../$1")') },
  // The generated client imports the one, and Git does not keep that; the typed client of docs/management-api.md the other.
  ignoreDependencies: ["@prisma/client", "openapi-fetch"],
  // Programs of the system, used where there are any; the code and the tests do without.
  ignoreBinaries: ["hadolint", "flock", "unshare", "psql", "pg_dump", "pgbouncer", "openssl"],
  // `react-router typegen` writes these, and tsc reads them.
  ignoreUnresolved: ["\\./\\+types/.+"],
} satisfies KnipConfig;
