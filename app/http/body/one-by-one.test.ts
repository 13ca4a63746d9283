import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { oneByOne } from "./one-by-one";

test("of a crowd one request begins in each turn, in the order of arrival; calls and health checks do not wait", async () => {
  const begun: string[] = [];
  const listener = oneByOne(({ url }) => void begun.push(url as string));
  const send = (url: string) => listener({ url } as IncomingMessage, {} as ServerResponse);
  for (const url of ["/login", "/dashboard", "/v1/models", "/signup", "/health"]) send(url);
  expect(begun).toEqual(["/v1/models", "/health"]);
  await turn();
  expect(begun.slice(2)).toEqual(["/login"]);
  send("/late");
  for (let turns = 0; turns < 3; turns += 1) await turn();
  expect(begun.slice(2)).toEqual(["/login", "/dashboard", "/signup", "/late"]);
  send("/again");
  await turn();
  expect(begun.at(-1)).toBe("/again");
});

test("a request whose client has left before its turn never begins", async () => {
  const begun: string[] = [];
  const listener = oneByOne(({ url }) => void begun.push(url as string));
  const left = { destroyed: false };
  listener({ url: "/left" } as IncomingMessage, left as ServerResponse);
  listener({ url: "/stays" } as IncomingMessage, {} as ServerResponse);
  left.destroyed = true;
  for (let turns = 0; turns < 3; turns += 1) await turn();
  expect(begun).toEqual(["/stays"]);
});
