import { expect, test } from "vitest";
import { browserOf } from "./browser-of";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const IOS = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    "Edge",
    "Windows",
  ],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 OPR/120.0.0.0`, "Opera", "Linux"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`, "Chrome", "Android"],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/19.0 Safari/605.1.15`,
    "Safari",
    "macOS",
  ],
  [`${IOS} Version/19.0 Mobile/15E148 Safari/604.1`, "Safari", "iOS"],
  [`${IOS} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, "Firefox", "iOS"],
  [`${IOS} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`, "Chrome", "iOS"],
  ["Mozilla/5.0 (X11; FreeBSD amd64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", null],
  ["curl/8.5.0", null, null],
  ["", null, null],
])("%s", (userAgent, browser, system) => {
  expect(browserOf(userAgent)).toEqual({ browser, system });
});
