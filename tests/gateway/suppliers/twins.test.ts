import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TWINS } from "../../twins/all";
import { impossible } from "../../twins/cannot-be";
import { CLIENT_NAMES } from "../../twins/clients/clients";
import { expectBilled, expectRefused, startTwinGateway, type TwinGateway } from "../../twins/gateway";
import { SCENARIOS } from "../../twins/scenarios";

let all: TwinGateway;
beforeAll(async () => {
  all = await startTwinGateway();
});
afterAll(() => all?.close());

for (const { name, apis } of TWINS)
  describe(name, () => {
    test("each rule says where it is from, and since when it is known", () => {
      for (const { rules } of apis) {
        for (const { source, date } of rules) {
          expect(URL.canParse(source)).toBe(true);
          expect(date).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
        }
        expect(new Set(rules.map(({ rule }) => rule)).size).toBe(rules.length);
      }
    });

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
