// npm run prices -- <folder of @pydantic/genai-prices, or its data.json>           prints the effect of a newer list
// npm run prices -- <folder of @pydantic/genai-prices, or its data.json> --take    installs it, too
// npm run prices -- released                                                       returns to the list of this version
import process from "node:process";
import { withModules } from "./load-module.mjs";

const [from, option, ...more] = process.argv.slice(2);
const isTaken = option === "--take";

try {
  if (from === undefined || (option !== undefined && !isTaken) || more.length > 0)
    throw new Error(
      "Usage: npm run prices -- <folder of @pydantic/genai-prices, or its data.json> [--take] | released",
    );
  await withModules(async (load) => {
    const { loadConfig } = await load("app/config.server.ts");
    const { comparePrices, dropPrices, takePrices } = await load("app/domain/catalogue/presets/price-command.ts");
    const settings = loadConfig();
    if (from === "released") {
      await dropPrices(settings);
      process.stdout.write("The list of this version is in use.\n");
      return;
    }
    const { list, lines } = await comparePrices(settings, from);
    if (isTaken) await takePrices(settings, list);
    const end = isTaken
      ? `Taken: a running server uses it within a minute, or at once on SIGHUP.`
      : "Nothing has been changed. Take it with --take.";
    process.stdout.write(`${[...lines, end].join("\n")}\n`);
  });
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
