import { beforeEach, describe, expect, test } from "vitest";
import { readConfig, setConfig } from "~/config.server";
import { clearCookie, readCookie, setCookie } from "./cookies";

const sent = (cookie?: string) => new Request("http://gw.example/", { headers: cookie ? { cookie } : {} });
const partsOf = (cookie: string) => [cookie.split("; ")[0], cookie.split("; ").slice(1).toSorted()];

describe("on plain http", () => {
  beforeEach(() => setConfig(readConfig({ BASE_URL: "http://gw.example" })));

  test.each([
    [undefined, null],
    ["gw_a=", null],
    ["gw_a", null],
    ["gw_a=1", "1"],
    ["other=2; gw_a=1", "1"],
    ["xgw_a=2;gw_a=1;gw_ab=3", "1"],
    ["gw_a=first; gw_a=second", "first"],
    ["broken; =; ;;gw_a=1", "1"],
    ["gw_a=a%20b%zz", "a%20b%zz"],
    ["gw_a=a=b==", "a=b=="],
    ["__Host-gw_a=2", null],
    ["__proto__=1; constructor=2", null],
  ])("of %j the cookie gw_a says %j", (header, value) => {
    expect(readCookie(sent(header), "gw_a")).toBe(value);
  });

  test.each(["constructor", "__proto__", "toString"])("%s is no cookie that nobody sent", (name) => {
    expect(readCookie(sent("a=1"), name)).toBeNull();
  });

  test("a cookie is out of reach of scripts and of other sites' forms", () => {
    const attributes = ["HttpOnly", "Path=/", "SameSite=Lax"];
    expect(partsOf(setCookie("gw_a", "v1.Zm9v-_~"))).toEqual(["gw_a=v1.Zm9v-_~", attributes]);
    expect(partsOf(setCookie("gw_a", "x", { maxAgeSeconds: 60 }))).toEqual([
      "gw_a=x",
      ["HttpOnly", "Max-Age=60", "Path=/", "SameSite=Lax"],
    ]);
    expect(partsOf(clearCookie("gw_a"))).toEqual(["gw_a=", ["HttpOnly", "Max-Age=0", "Path=/", "SameSite=Lax"]]);
  });

  test.each(["a;b", "a b", "a\r\nset-cookie: b", "ü"])("the value %j is not set", (value) => {
    expect(() => setCookie("gw_a", value)).toThrow(TypeError);
  });
});

test("on https only this host can have set it", () => {
  setConfig(readConfig({ BASE_URL: "https://gw.example" }));
  expect(partsOf(setCookie("gw_a", "x"))).toEqual(["__Host-gw_a=x", ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"]]);
  expect(readCookie(sent("gw_a=1; __Host-gw_a=2"), "gw_a")).toBe("2");
});
