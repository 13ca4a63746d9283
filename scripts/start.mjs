// Starts the built server. `npm start` builds it first when it is missing or older than its sources.
import process from "node:process";

process.env.NODE_ENV ??= "production";
process.setSourceMapsEnabled(true);

try {
  const { start } = await import("../build/server/index.js");
  await start();
} catch (error) {
  // What the operator has to change is one line; anything else is a fault of the program, with its trace.
  process.stderr.write(`${error?.name === "ConfigError" ? error.message : error?.stack}\n`);
  process.exit(1);
}
