import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TWINS } from "../twins/all";
import { impossible } from "../twins/cannot-be";
import { CLIENT_NAMES } from "../twins/clients/clients";
import { expectBilled, expectRefused, startTwinGateway, type TwinGateway } from "../twins/gateway";
import { SCENARIOS } from "../twins/scenarios";

let all: TwinGateway;
beforeAll(async () => {
  all = await startTwinGateway();
});
afterAll(() => all?.close());

for (const { name } of TWINS)
  describe(name, () => {
    describe.concurrent("answers", () => {
      for (const client of CLIENT_NAMES)
        for (const { name: scenario, clients = CLIENT_NAMES, twins = [name], streamedOnly, run } of SCENARIOS)
          for (const stream of [false, true]) {
            if (!clients.includes(client) || !twins.includes(name) || (streamedOnly && !stream)) continue;
            const cannotBe = impossible({ twin: name, client, scenario, stream });
            const cell = `${client}, ${stream ? "streamed" : "whole"}: ${scenario}`;
            if (cannotBe === undefined) test(cell, () => run(all.talk(client, name, stream)));
            else
              test(`${cell}, which cannot be: ${cannotBe.reason}`, () =>
                expectRefused(all, run(all.talk(client, name, stream)), cannotBe));
          }

      for (const stream of [false, true])
        test(`completions, ${stream ? "streamed" : "whole"}: plain text`, async () => {
          const { status, text, finish } = await all.complete(name, "Hello. script:plain", stream);
          expect(status).toBe(200);
          expect(text).toBe("Done with plain.");
          expect(finish).toBe("stop");
        });
    });

    test("everything that it answered is booked as it counted", () => expectBilled(all, name));
  });
