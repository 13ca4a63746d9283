import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROFILES } from "../../support/identity-twins/profiles";
import { serveTwin } from "../../support/identity-twins/serve";
import { CLIENT } from "../../support/identity-twins/twin";
import { startOAuth2Provider } from "../../support/oauth2-provider";
import { type Browser, type Portal, startPortal } from "../../support/portal";

type Served = Awaited<ReturnType<typeof serveTwin>>;
let portal: Portal;
let entra: Served;
let authelia: Served;

const settings = (letter: "A" | "B", { issuer }: Served, more: Record<string, string> = {}) => {
  const all = { ISSUER: issuer, CLIENT_ID: CLIENT.id, CLIENT_SECRET: CLIENT.secret, ...more };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [`IDP_${letter}_${name}`, value]));
};

beforeAll(async () => {
  [entra, authelia] = await Promise.all([serveTwin(PROFILES.entra), serveTwin(PROFILES.authelia)]);
  const env = { ...settings("A", entra, { EMAILS_VERIFIED: "true" }), ...settings("B", authelia) };
  portal = await startPortal({ env });
}, 120_000);
afterAll(async () => {
  await portal?.close();
  await Promise.all([entra?.close(), authelia?.close()]);
});

let count = 0;
const someone = (more: object = {}) => {
  count += 1;
  return { sub: `subject-${count}`, email: `twin-${count}@acme.example`, name: "Ada", ...more };
};

async function leave(browser: Browser, name: "idp-a" | "idp-b", next = "/dashboard"): Promise<URL> {
  await browser.post("/auth/accept-tos", { accept_terms: "on", provider: name });
  const begun = await browser.get(`/auth/${name}?next=${encodeURIComponent(next)}`);
  return new URL(begun.headers.get("location") as string);
}

const arrive = (browser: Browser, { twin }: Served, left: URL, person: ReturnType<typeof someone> | null) => {
  const back = twin.visit(left, person);
  return browser.get(back.pathname + back.search);
};

/** Polls the output of the server. */
const printed = (of: Portal) => expect.poll(() => of.gateway.output());

const isSignedIn = async (browser: Browser) => (await browser.getJson("/api/legal/status")).status === 200;
const words = async (browser: Browser, answer: Response) => (await browser.follow(answer)).text();

describe("a provider", () => {
  test("that says nothing about addresses signs people in by the operator's word", async () => {
    const browser = portal.visitor();
    const end = await arrive(browser, entra, await leave(browser, "idp-a"), someone());
    expect(end.headers.get("location")).toBe("/dashboard");
  });

  test("that takes Basic only, and tells the address by a signed user-info answer, signs people in", async () => {
    const browser = portal.visitor();
    const end = await arrive(browser, authelia, await leave(browser, "idp-b"), someone());
    expect(end.headers.get("location")).toBe("/dashboard");
  });

  test("that tells an address with letters beyond ASCII is not said to have told none", async () => {
    const browser = portal.visitor();
    const end = await arrive(browser, entra, await leave(browser, "idp-a"), someone({ email: "jörg@example.com" }));
    expect(await words(browser, end)).toContain("letters that gw does not support");
    expect(await isSignedIn(browser)).toBe(false);
  });

  test.each([
    ["access_denied", "did not sign you in"],
    ["invalid_scope", "is not set up correctly"],
    ["temporarily_unavailable", "can’t be reached right now"],
    ["some_error_of_its_own", "did not sign you in"],
  ])("that answers %s is told of in plain words, and quoted in the log", async (error, said) => {
    const browser = portal.visitor();
    const back = entra.twin.visit(await leave(browser, "idp-a"), someone());
    back.searchParams.delete("code");
    back.searchParams.set("error", error);
    back.searchParams.set("error_description", `AADSTS65004: about ${error}\nand more`);
    expect(await words(browser, await browser.get(back.pathname + back.search))).toContain(said);
    await printed(portal).toContain(`"error":"${error}"`);
    await printed(portal).toContain(`AADSTS65004: about ${error} and more`);
  });

  test("that signs with the client secret is named by its algorithm in the log", async () => {
    const browser = portal.visitor();
    const left = await leave(browser, "idp-a");
    entra.twin.profile.algorithm = "HS256";
    try {
      expect(await words(browser, await arrive(browser, entra, left, someone()))).toContain("is not set up correctly");
    } finally {
      entra.twin.profile.algorithm = "RS256";
    }
    await printed(portal).toContain('"algorithm":"HS256"');
  });

  test("that ends a sign-in without its state is quoted in the log, too", async () => {
    await portal.visitor().get("/oauth/idp-a/login/callback/?error=invalid_request&error_description=no+state+here");
    await printed(portal).toContain("no state here");
  });
});

describe("one browser", () => {
  test("finishes the sign-ins of several tabs, in whatever order, each at its own page", async () => {
    const browser = portal.visitor();
    const person = someone();
    const first = await leave(browser, "idp-a", "/dashboard/keys");
    const second = await leave(browser, "idp-a", "/dashboard/guide");
    expect((await arrive(browser, entra, second, person)).headers.get("location")).toBe("/dashboard/guide");
    expect((await arrive(browser, entra, first, person)).headers.get("location")).toBe("/dashboard/keys");
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("keeps the latest of those that it leaves open, and few of them", async () => {
    const browser = portal.visitor();
    const left: URL[] = [];
    for (let tab = 0; tab < 7; tab += 1) left.push(await leave(browser, "idp-a"));
    expect([...browser.cookies.keys()].filter((name) => name.startsWith("gw_idp_a_"))).toHaveLength(4);
    const first = await arrive(browser, entra, left[0] as URL, someone());
    expect(await words(browser, first)).toContain("has expired");
    const last = await arrive(browser, entra, left.at(-1) as URL, someone());
    expect(last.headers.get("location")).toBe("/dashboard");
  });

  test("that goes back to an answer which has signed it in is sent to its pages", async () => {
    const browser = portal.visitor();
    const back = entra.twin.visit(await leave(browser, "idp-a"), someone());
    const callback = back.pathname + back.search;
    await browser.get(callback);
    const again = await browser.get(callback);
    expect([again.status, again.headers.get("location")]).toEqual([303, "/dashboard"]);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test("that comes back after its cookie has ended is told so, and starts anew", async () => {
    const browser = portal.visitor();
    const left = await leave(browser, "idp-a");
    browser.cookies.clear();
    expect(await words(browser, await arrive(browser, entra, left, someone()))).toContain("This sign-in has expired");
    const end = await arrive(browser, entra, await leave(browser, "idp-a"), someone());
    expect(end.headers.get("location")).toBe("/dashboard");
  });
});

describe("the start", () => {
  test("logs what has to be registered at a provider that is ready", async () => {
    await printed(portal).toMatch(/\/oauth\/idp-a\/login\/callback\/.*an identity provider is ready/);
  });

  test("tells what is wrong with the settings, and serves all the same", async () => {
    const gitlab = await serveTwin(PROFILES.gitlab);
    const okta = await serveTwin(PROFILES.okta);
    okta.twin.profile.documentIssuer = "https://acme.okta.com";
    const secret = { CLIENT_SECRET: "another" };
    const other = await startPortal({ env: { ...settings("A", okta), ...settings("B", gitlab, secret) } });
    try {
      const browser = other.visitor();
      const begun = await browser.get("/auth/idp-a");
      expect(await words(browser, begun)).toContain("is not set up correctly");
      await printed(other).toContain(
        `is set to ${okta.issuer}, but its discovery document names https://acme.okta.com`,
      );
      const left = new URL((await browser.get("/auth/idp-b")).headers.get("location") as string);
      expect(await words(browser, await arrive(browser, gitlab, left, someone()))).toContain("is not set up correctly");
      await printed(other).toMatch(/"error":"invalid_client","error_description":"Client authentication failed\./);
      expect(other.gateway.output()).not.toContain(CLIENT.secret);
    } finally {
      await other.close();
      await Promise.all([gitlab.close(), okta.close()]);
    }
  }, 120_000);
});

test("a provider of plain OAuth 2 that refuses the client is quoted in the log, and nothing secret is", async () => {
  const provider = await startOAuth2Provider();
  const other = await startPortal({ env: { ...provider.settings("A"), IDP_A_CLIENT_SECRET: "another" } });
  try {
    const browser = other.visitor();
    const begun = await browser.get("/auth/idp-a");
    const back = provider.visit(begun.headers.get("location") as string);
    const end = await browser.get(back.pathname + back.search);
    expect(await words(browser, end)).toContain("is not set up correctly");
    await printed(other).toContain('"error":"incorrect_client_credentials"');
    expect(other.gateway.output()).not.toContain(back.searchParams.get("code") as string);
  } finally {
    await other.close();
    await provider.close();
  }
}, 120_000);

test("no code, token or secret is printed", () => {
  expect(portal.gateway.output()).not.toMatch(/eyJ[\w-]{10,}\./);
  expect(portal.gateway.output()).not.toContain(CLIENT.secret);
});
