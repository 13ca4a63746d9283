import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TWINS } from "../twins/all";
import { startTwinGateway, type TwinGateway } from "../twins/gateway";
import type { Heard, Said } from "../twins/twin";
import { runAgent, type SessionAgent, type Step } from "./agent";
import { aiSdk } from "./ai-sdk";
import { aider, aiderWhole } from "./aider";
import { claudeCode, codexOnResponses, codexWithServer, continueCli, opencode } from "./known-agents";
import { SessionTable } from "./session-table";

const CHANGE = { from: "marmalade", to: "quince" };
const DONE = "It says quince now";
/** Runs of each session. */
const REPEATS = Number(process.env.SESSIONS ?? 1);

/** The running session: its model takes the next step until all results have arrived. */
let running: { agent: SessionAgent; steps: readonly Step[]; shown: readonly string[] };

function answer(heard: Heard): Said {
  const thoughts = heard.thinks ? ["Let me see."] : [];
  const { agent, steps } = running;
  const shown = agent.shown ? agent.shown(heard) : heard.tools.length === 0 ? null : heard.results;
  if (shown === null) return { thoughts, text: "A title", calls: [] };
  running.shown = [...running.shown.slice(0, shown.length - 1), ...shown.slice(-1)];
  const step = steps[shown.length];
  const isLast = shown.length >= steps.length - 1;
  if (step === undefined) return { thoughts, text: DONE, calls: [] };
  if ("text" in step) return { thoughts, text: isLast ? `${DONE}\n\n${step.text}` : step.text, calls: [] };
  // Agents offer tools of an MCP server under prefixed names.
  const offered = ({ name }: { name: string }) => heard.tools.find((tool) => tool === name || tool.endsWith(name));
  const call = offered(step.call) === undefined && step.otherwise ? step.otherwise : step.call;
  return { thoughts, text: "", calls: [{ ...call, name: offered(call) ?? call.name }] };
}

let all: TwinGateway;
const table = new SessionTable(TWINS.map(({ name }) => name));
beforeAll(async () => {
  all = await startTwinGateway(answer);
});
afterAll(async () => {
  await all?.close();
  process.stdout.write(table.text());
});

async function session(agent: SessionAgent, model: string): Promise<void> {
  running = { agent, steps: [], shown: [] };
  all.twins.asked.clear();
  const { output, code, note } = await runAgent(
    agent,
    { url: all.gateway.url, key: all.gateway.key, model },
    "Change the word in my note to quince, and show me the note.",
    {
      note: `the word is ${CHANGE.from}\n`,
      started: (_child, folder) => (running.steps = agent.changing(folder, CHANGE)),
    },
  );
  const expected = running.steps.flatMap(({ shows }) => (shows === undefined ? [] : [shows]));
  const shown = running.steps.flatMap(({ shows }, at) =>
    shows !== undefined && running.shown[at]?.includes(shows) ? [shows] : [],
  );
  const refusals = [...all.twins.asked.values()].flat().flatMap(({ refused }) => refused ?? []);
  expect(shown, [output, ...refusals, ...running.shown].join("\n---\n")).toEqual(expected);
  expect(output).toContain(DONE);
  expect(note).toBe(`the word is ${CHANGE.to}\n`);
  expect(code).toBe(0);
}

for (const agent of [claudeCode, opencode, continueCli, codexOnResponses, codexWithServer, aider, aiderWhole, ...aiSdk])
  describe.skipIf(agent.command === null)(`${agent.name} reads, edits, runs and finishes`, () => {
    test.each(TWINS.map(({ name }) => name))(
      "with %s",
      async (twin) => {
        for (let round = 0; round < REPEATS; round += 1) await table.counted(agent.name, twin, session(agent, twin));
        table.expectAllPassed(agent.name, twin);
      },
      REPEATS * 120_000,
    );
  });
