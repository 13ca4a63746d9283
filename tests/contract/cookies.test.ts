import { expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { legalDocument } from "~/legal/index.server";
import { filesUnder } from "./source-tree";

test("the page about cookies lists every cookie that is set", () => {
  const files = filesUnder("app", /\.tsx?$/).filter(
    ({ path, text }) => !path.includes(".test.") && /cookie/i.test(text),
  );
  const literal = files.flatMap(({ text }) => [...text.matchAll(/"(gw_[a-z_]+)"/g)].map(([, name]) => name as string));
  // Cookies with composed names: messages for the next page, and one cookie per identity provider.
  const composed = ["gw_toast", "gw_form", "gw_draft", "gw_once", "gw_idp_a", "gw_idp_b"];
  setConfig(readConfig({}));
  const listed = JSON.stringify(legalDocument("cookies")?.blocks);
  const missing = [...new Set([...literal, ...composed])].filter((name) => !listed.includes(`"${name}"`));
  expect(literal.length).toBeGreaterThan(3);
  expect(missing).toEqual([]);
});
