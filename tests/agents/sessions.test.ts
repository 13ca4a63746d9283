import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TWINS } from "../twins/all";
import { startTwinGateway, type TwinGateway } from "../twins/gateway";
import type { Heard, Said } from "../twins/twin";
import { runAgent } from "./agent";
import { claudeCode, codexOnResponses, codexWithServer, continueCli, opencode } from "./known-agents";

const CHANGE = { from: "marmalade", to: "quince" };
const DONE = "It says quince now";

/** The steps of the session that is running: its model calls the next tool until all have their results. */
let steps: readonly { name: string; input: object }[] = [];
let shown: readonly string[] = [];

function answer({ tools, results, thinks }: Heard): Said {
  const thoughts = thinks ? ["Let me see."] : [];
  if (tools.length === 0) return { thoughts, text: "A title", calls: [] };
  shown = results;
  const step = steps[results.length];
  if (step === undefined) return { thoughts, text: DONE, calls: [] };
  // Tools of a server are offered under longer names.
  const name = tools.find((tool) => tool === step.name) ?? tools.find((tool) => tool.endsWith(step.name)) ?? step.name;
  return { thoughts, text: "", calls: [{ ...step, name }] };
}

let all: TwinGateway;
beforeAll(async () => {
  all = await startTwinGateway(answer);
});
afterAll(() => all?.close());

for (const agent of [claudeCode, opencode, continueCli, codexOnResponses, codexWithServer])
  describe.skipIf(agent.command === null)(`${agent.name} reads, edits, runs and finishes`, () => {
    for (const { name } of TWINS)
      test(`with ${name}`, async () => {
        shown = [];
        const { output, code } = await runAgent(
          agent,
          { url: all.gateway.url, key: all.gateway.key, model: name },
          "Change the word in note.txt to quince, and show me the note.",
          {
            note: "the word is marmalade",
            started: (_child, folder) => {
              steps = agent.changing!(folder, CHANGE);
            },
          },
        );
        expect(shown.at(0), output).toContain("the word is marmalade");
        expect(shown.at(-1)).toContain("the word is quince");
        expect(shown).toHaveLength(steps.length);
        if (agent === codexWithServer) expect(shown.at(1)).toContain("The word of the day is quince.");
        expect(output).toContain(DONE);
        expect(code).toBe(0);
      });
  });
