import { describe, expect, test } from "vitest";
import { type ListingShape, listingShapeOf } from "./listing-shape";

/** Headers as these clients send them, recorded from real requests unless the name says "by". */
const CLIENTS: readonly [who: string, shape: ListingShape, headers: Record<string, string>][] = [
  // Tools that people run by hand.
  ["curl", "array", { "user-agent": "curl/7.88.1", accept: "*/*" }],
  ["wget", "array", { "user-agent": "Wget/1.21.3", accept: "*/*", "accept-encoding": "identity" }],
  ["node's fetch", "array", { "user-agent": "node", accept: "*/*", "accept-language": "*", "sec-fetch-mode": "cors" }],
  ["undici's fetch", "array", { "user-agent": "undici", accept: "*/*", "accept-language": "*" }],
  ["Deno's fetch", "array", { "user-agent": "Deno/2.5.6", accept: "*/*" }],
  ["Bun's fetch", "array", { "user-agent": "Bun/1.3.2", accept: "*/*" }],
  ["Python's urllib", "array", { "user-agent": "Python-urllib/3.11", "accept-encoding": "identity" }],
  ["HTTPie", "array", { "user-agent": "HTTPie/3.2.4", accept: "*/*" }],
  ["node:http, undici.request and a plain socket", "array", {}],
  // Applications and libraries.
  ["curl that asks for JSON", "list", { "user-agent": "curl/8.5.0", accept: "application/json" }],
  ["LiteLLM, by httpx", "list", { "user-agent": "litellm/1.110.2", accept: "*/*" }],
  ["httpx", "list", { "user-agent": "python-httpx/0.28.1", accept: "*/*" }],
  ["requests", "list", { "user-agent": "python-requests/2.34.2", accept: "*/*" }],
  ["Open WebUI, by aiohttp", "list", { "user-agent": "Python/3.11 aiohttp/3.12.15", accept: "*/*" }],
  ["mistralai for Python", "cards", { "user-agent": "mistral-client-python/3.7.0", accept: "application/json" }],
  ["mistralai for Node", "cards", { "user-agent": "mistral-client-typescript/2.7.0", accept: "application/json" }],
  [
    "@mistralai/mistralai of an earlier release",
    "cards",
    { "user-agent": "speakeasy-sdk/typescript 2.7.0 2.879.2 1.0.0 @mistralai/mistralai", accept: "application/json" },
  ],
  [
    "LibreChat, Cline and n8n, by axios",
    "list",
    { "user-agent": "axios/1.13.2", accept: "application/json, text/plain, */*" },
  ],
  ["goose and async-openai, by reqwest", "list", { accept: "*/*" }],
  ["goose with its name", "list", { "user-agent": "goose/1.14.0", accept: "*/*" }],
  ["go-openai", "list", { "user-agent": "Go-http-client/1.1", accept: "application/json", "accept-encoding": "gzip" }],
  ["Go's net/http", "list", { "user-agent": "Go-http-client/2.0", "accept-encoding": "gzip" }],
  ["OpenAI .NET", "list", { "user-agent": "OpenAI/2.7.0 (.NET 9.0.0; Linux)", accept: "application/json" }],
  [
    "the openai SDK and LangChain on it",
    "list",
    { "user-agent": "OpenAI/JS 7.59.0", accept: "application/json", "x-stainless-lang": "js" },
  ],
  ["a page in a browser", "list", { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0", accept: "*/*" }],
  ["node-fetch", "list", { "user-agent": "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)", accept: "*/*" }],
  // Messages clients.
  [
    "@anthropic-ai/sdk",
    "page",
    {
      "user-agent": "Anthropic/JS 1.14.0",
      accept: "application/json",
      "x-stainless-lang": "js",
      "anthropic-version": "2026-10-21",
    },
  ],
  ["curl with a version", "page", { "user-agent": "curl/7.88.1", accept: "*/*", "vendord-version": "2023-06-01" }],
];

describe("the models are told", () => {
  test.each(CLIENTS)("%s: %s", (_who, shape, headers) => {
    expect(listingShapeOf(new Headers(headers), null)).toBe(shape);
  });

  test.each(CLIENTS)("%s, which says by ?object= what it wants, so", (_who, _shape, headers) => {
    expect(listingShapeOf(new Headers(headers), "list")).toBe("list");
    expect(listingShapeOf(new Headers(headers), "array")).toBe("array");
  });
});
