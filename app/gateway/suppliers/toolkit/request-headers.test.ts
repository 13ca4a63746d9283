import { expect, test } from "vitest";
import { requestHeaders } from "./request-headers";

const own = { callId: "c1", accept: "application/json", secret: ["authorization", "Bearer s"] as const };

test("what gw sets itself stays, and of the others the later one wins", () => {
  const client = { authorization: "Bearer stolen", "user-agent": "client", "x-version": "1", "x-beta": "a" };
  expect(requestHeaders(own, client, { "x-version": "2" })).toEqual({
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "gw",
    "x-request-id": "c1",
    authorization: "Bearer s",
    "x-version": "2",
    "x-beta": "a",
  });
});

test("without a secret none is sent", () => {
  const headers = requestHeaders({ ...own, secret: null }, undefined);
  expect(Object.keys(headers)).toEqual(["content-type", "accept", "accept-encoding", "user-agent", "x-request-id"]);
});
