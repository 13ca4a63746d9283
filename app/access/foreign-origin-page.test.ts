import { expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { foreignOriginPage, showsPages } from "./foreign-origin-page.server";

setConfig(readConfig({}));

const form = (accept: string, language = "en") =>
  new Request("http://192.168.1.5:3000/auth/login", {
    method: "POST",
    headers: { accept, "accept-language": language },
  });

test("a browser's form that comes from another address is told the portal's own one, in its language", async () => {
  const request = form("text/html,application/xhtml+xml", "de");
  expect(showsPages(request)).toBe(true);
  const page = foreignOriginPage(request, "https://gw.example.com");
  expect(page.status).toBe(403);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const html = await page.text();
  expect(html).toContain('<html lang="de">');
  expect(html).toContain('<a href="https://gw.example.com">https://gw.example.com</a>');
});

test("a program gets no page", () => {
  expect(showsPages(form("*/*"))).toBe(false);
  expect(showsPages(form("application/json"))).toBe(false);
});
