import { expect, test } from "vitest";
import { originOf } from "./origin";

test.each([
  ["https://app.example.com", "https://app.example.com"],
  ["https://APP.Example.com:443/", "https://app.example.com"],
  ["http://localhost:5173", "http://localhost:5173"],
  ["https://bücher.example", "https://xn--bcher-kva.example"],
  ["chrome-extension://abcdefghijklmnop", "chrome-extension://abcdefghijklmnop"],
  ["capacitor://localhost", "capacitor://localhost"],
])("%s is the origin %s", (written, origin) => {
  expect(originOf(written)).toBe(origin);
});

test.each([
  "*",
  "null",
  "",
  "app.example.com",
  "localhost:5173",
  "https://*.example.com",
  "https://app.example.com/chat",
  "https://app.example.com?x=1",
  "https://me:secret@app.example.com",
  "file:///home/me",
  "javascript:alert(1)",
])("%s is none", (written) => {
  expect(originOf(written)).toBeNull();
});
