import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TWINS } from "../../twins/all";
import { CLIENT_NAMES } from "../../twins/clients/clients";
import { startTwinGateway, type TwinGateway } from "../../twins/gateway";
import { expectCalls, TOOLS } from "../../twins/scenarios";

let all: TwinGateway;
beforeAll(async () => {
  all = await startTwinGateway();
});
afterAll(() => all?.close());

const NAMES = TWINS.map(({ name }) => name);
/**
 * `npm run test:twins` continues each conversation at every other supplier. A run of all tests uses every third, so
 * that each pair is covered by one of the clients.
 */
const EVERY = process.env.TWINS === "full" ? 1 : 3;
const wanted = { tools: TOOLS, effort: "medium" } as const;

// A conversation moves to another supplier in the middle of a tool loop, and returns to the first one.
for (const [place, client] of CLIENT_NAMES.entries())
  describe.concurrent(`${client}: a conversation that begins at`, () => {
    for (const [at, from] of NAMES.entries())
      test(`${from} goes on at other suppliers, and back`, async () => {
        const begun = all.talk(client, from, at % 2 === 0);
        begun.conversation.say("Look it up. script:once");
        const told = await begun.ask(wanted);
        expectCalls(told, ["look_up", 0]);
        begun.conversation.answer([{ call: told.calls[0]!, text: "found it" }]);
        const failures: string[] = [];
        for (const [index, to] of NAMES.entries()) {
          if (to === from || (index + at + place) % EVERY !== 0) continue;
          const { conversation, ask } = all.fork(begun, to, index % 2 === 0);
          try {
            expect((await ask(wanted)).text).toBe("Done with once. Results: found it.");
            conversation.say("And now?");
            expect((await ask({ ...wanted, model: from })).text).toBe("Done with once. Results: found it.");
          } catch (error) {
            failures.push(`${to}: ${(error as Error).message.slice(0, 200)}`);
          }
        }
        if (failures.length > 0) throw new Error(failures.join("\n"));
      });
  });
