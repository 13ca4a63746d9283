import { describe, expect, test } from "vitest";
import { readResponses } from "../../responses/read";
import { responsesToChat, responsesToMessages } from "../__fixtures__/pairs";
import { CALL_CASES } from "../__fixtures__/responses/requests-calls";
import { MESSAGE_CASES } from "../__fixtures__/responses/requests-messages";
import { SETTING_CASES } from "../__fixtures__/responses/requests-settings";
import { OTHER_ITEM_CASES } from "../__fixtures__/responses/requests-thoughts";
import { TOOL_CASES } from "../__fixtures__/responses/requests-tools";
import type { RequestCase, Sent } from "../__fixtures__/responses/say";
import { aRoute } from "../__fixtures__/streams";

const CASES = { MESSAGE_CASES, CALL_CASES, OTHER_ITEM_CASES, TOOL_CASES, SETTING_CASES };
/** The model's own ceiling, which the messages dialect requires if the client sets none. */
const CEILING = { max_tokens: 4_000 };

const TRANSLATORS = [
  ["chat", responsesToChat, {}],
  ["messages", responsesToMessages, CEILING],
] as const;

describe.each(Object.entries(CASES))("%s", (_kind, cases: readonly RequestCase[]) => {
  for (const [style, translator, always] of TRANSLATORS) {
    test.each(cases)(`$name, for a ${style}-style supplier`, ({ ask, model = "up", outputField, ...expected }) => {
      const sent: Sent = expected[style];
      const inference = readResponses(JSON.stringify({ model: "m", input: "hi", ...ask }));
      const route = { ...aRoute(style, model), outputField };
      const write = () => JSON.parse(translator.forward(inference, route) as string);
      if ("refuses" in sent) {
        expect(write).toThrow(expect.objectContaining({ code: "unsupported_parameter", param: sent.refuses }));
        return;
      }
      expect(write()).toEqual({ model, ...always, ...sent.sends });
      expect(translator.leftOut!(inference, route)).toEqual(sent.drops ?? []);
    });
  }
});
