import { expect, test } from "vitest";
import { isReachedDirectly } from "./no-proxy";

test.each([
  ["api.example.com", 443, "api.example.com"],
  ["api.example.com", 443, "example.com"],
  ["api.example.com", 443, ".example.com"],
  ["api.example.com", 443, "*.example.com"],
  ["example.com", 443, ".example.com"],
  ["API.Example.com.", 443, "other, api.EXAMPLE.com"],
  ["api.example.com", 8443, "api.example.com:8443"],
  ["localhost", 11434, "localhost,127.0.0.1"],
  ["10.1.2.3", 80, "10.1.2.3"],
  ["10.1.2.3", 80, "172.16.0.0/12 10.0.0.0/8"],
  ["10.1.2.3", 80, "10.1.2.3:80"],
  ["fd00::1", 80, "fd00::/8"],
  ["::1", 80, "::1"],
  ["::1", 80, "[::1]:80"],
  ["anything.example", 443, "a,*"],
])("%s:%d is reached without a proxy where NO_PROXY is %j", (host, port, noProxy) => {
  expect(isReachedDirectly({ host, port }, noProxy)).toBe(true);
});

test.each([
  ["api.example.com", 443, ""],
  ["badexample.com", 443, "example.com"],
  ["api.example.com", 443, "api.example.com:8443"],
  ["api.example.com", 443, "10.0.0.0/8"],
  ["11.1.2.3", 80, "10.0.0.0/8"],
  ["10.1.2.3", 80, "10.0.0.0/80"],
  ["10.1.2.3", 80, ".3"],
  ["fe80::1", 80, "10.0.0.0/8"],
  ["::1", 80, "[::1]:81"],
  ["example.com", 443, "."],
])("%s:%d goes through the proxy where NO_PROXY is %j", (host, port, noProxy) => {
  expect(isReachedDirectly({ host, port }, noProxy)).toBe(false);
});
