// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, test, vi } from "vitest";

const FILTERED = `<form><input data-filter><b data-filter-count></b><p data-filter-nothing hidden></p>
  <section data-filter-section><p data-filter-entry id="rate">Rate limit</p><p data-filter-entry id="credit" data-filter-text="402 credit"></p></section>
  <section data-filter-section><p data-filter-entry id="other">Timeout</p></section></form>`;
const PALETTE = `<dialog data-palette><input data-palette-field><p data-palette-status></p>
  <ul data-palette-found="/dashboard/search?q=" data-words='{"key":"API key","switch":"Switch"}'></ul><ul>
  <li data-palette-row id="keys"><a href="#to-keys">API keys</a></li>
  <li data-palette-row id="settings"><a href="#to-settings">Settings</a></li></ul></dialog>`;

const write = (html: string) => {
  document.body.innerHTML = html;
};
const find = <Kind extends HTMLElement = HTMLElement>(selector: string) => document.querySelector<Kind>(selector)!;
const isShown = (selector: string) => !find(selector).hidden;
const type = (field: HTMLInputElement, value: string) => {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
};
const tick = (selector: string, checked: boolean) => {
  find<HTMLInputElement>(selector).checked = checked;
  find(selector).dispatchEvent(new Event("change", { bubbles: true }));
};
const press = (key: string, on: HTMLElement = document.body, more: KeyboardEventInit = {}) =>
  on.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));

beforeAll(async () => {
  vi.useFakeTimers();
  write(FILTERED);
  await import("./enhance");
});

afterEach(() => write(""));

// The script looks the field up once, when the page loads, so this test must run first.
test("typing shows the entries that hold every word, counts them and keeps the words in the address", () => {
  const field = find<HTMLInputElement>("[data-filter]");
  type(field, "limit RATE");
  expect(["#rate", "#credit", "#other"].map(isShown)).toEqual([true, false, false]);
  expect(find("[data-filter-count]").textContent).toBe("1");
  expect(location.search).toBe("?q=limit+RATE");
  type(field, "402");
  expect(["#rate", "#credit", "[data-filter-nothing]"].map(isShown)).toEqual([false, true, false]);
  type(field, "nothing like it");
  expect(isShown("[data-filter-nothing]")).toBe(true);
  type(field, " ");
  expect(["#rate", "#credit", "#other"].map(isShown)).toEqual([true, true, true]);
  expect(location.search).toBe("");
});

test("style sheets can tell that the script runs", () => {
  expect(document.documentElement.dataset.enhanced).toBe("");
});

test("the chosen colours hold at once, are kept in a cookie and marked wherever they are chosen", () => {
  write(
    '<form data-theme-choice><button value="system" aria-pressed="true">S</button><button value="dark" aria-pressed="false">D</button></form><form><input type="radio" name="theme" value="system" checked><input type="radio" name="theme" value="dark"></form>',
  );
  find("button[value=dark]").click();
  expect(document.documentElement.dataset.theme).toBe("dark");
  expect(document.cookie).toContain("gw_theme=dark");
  expect(find("button[value=dark]").getAttribute("aria-pressed")).toBe("true");
  expect(find<HTMLInputElement>("input[value=dark]").checked).toBe(true);
  find("button[value=system]").click();
  expect(document.documentElement.dataset.theme).toBeUndefined();
  expect(find("button[value=dark]").getAttribute("aria-pressed")).toBe("false");
});

test("a button copies its text or that of the element it names, and says so for a moment", async () => {
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  write('<pre id="code">curl</pre><button data-copy="gw_1"></button><button data-copy="#code"></button>');
  find('[data-copy="gw_1"]').click();
  find('[data-copy="#code"]').click();
  await vi.advanceTimersByTimeAsync(10);
  expect(copied.mock.calls).toEqual([["gw_1"], ["curl"]]);
  expect(find('[data-copy="#code"]').dataset.copied).toBe("");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(find('[data-copy="#code"]').dataset.copied).toBeUndefined();
});

test("a copy that is refused is not reported as done", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not allowed"));
  write('<button data-copy="gw_1"></button>');
  find("button").click();
  await vi.advanceTimersByTimeAsync(10);
  expect(find("button").dataset.copied).toBeUndefined();
});

test("a language chosen in one example is chosen in every example that has it", () => {
  const example = (name: string) =>
    ["curl", "python"]
      .map((value) => `<input class="choice-button" type="radio" name="${name}" value="${value}">`)
      .join("");
  write(example("a") + example("b"));
  find("[name=a][value=python]").click();
  expect(find<HTMLInputElement>("[name=b][value=python]").checked).toBe(true);
});

test("an open menu closes by a click elsewhere and by Escape, which gives its summary the focus", () => {
  write("<details data-menu open><summary>More</summary><button>In</button></details><p>Out</p>");
  const menu = find<HTMLDetailsElement>("details");
  find("details button").click();
  expect(menu.open).toBe(true);
  find("p").click();
  expect(menu.open).toBe(false);
  menu.open = true;
  press("Escape");
  expect(menu.open).toBe(false);
  expect(document.activeElement).toBe(find("summary"));
});

test("Escape closes what is on top only: a menu under an open dialog stays", () => {
  write("<details data-menu open><summary>Menu</summary></details><dialog open><input></dialog>");
  const menu = find<HTMLDetailsElement>("details");
  press("Escape", find("input"));
  expect(menu.open).toBe(true);
  find<HTMLDialogElement>("dialog").close();
  press("Escape");
  expect(menu.open).toBe(false);
});

test("a menu that opens a part elsewhere on the page stays open while that is used, until a link of it is followed", () => {
  write(
    '<details data-menu data-menu-panel="side" open><summary>Menu</summary></details><aside id="side"><select></select><a href="#to">To</a></aside>',
  );
  const menu = find<HTMLDetailsElement>("details");
  find("select").click();
  expect(menu.open).toBe(true);
  find("a").click();
  expect(menu.open).toBe(false);
});

test("good news leaves by itself, bad news stays until it is closed", async () => {
  write(
    '<div class="toast" data-toast="good"></div><div class="toast" data-toast="bad"><button data-toast-close></button></div>',
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(isShown("[data-toast=good]")).toBe(true);
  await vi.advanceTimersByTimeAsync(4_000);
  expect([isShown("[data-toast=good]"), isShown("[data-toast=bad]")]).toEqual([false, true]);
  find("[data-toast-close]").click();
  expect(isShown("[data-toast=bad]")).toBe(false);
});

test("the box of a table's header selects its rows, and shows how many are selected", () => {
  write(`<form id="bulk"><b data-selected-count></b></form>
    <table><thead><tr><th><input type="checkbox" data-select-all></th></tr></thead><tbody>
      <tr><td><input type="checkbox" id="one" data-select form="bulk"></td></tr>
      <tr><td><input type="checkbox" id="two" data-select form="bulk"></td></tr></tbody></table>`);
  const header = find<HTMLInputElement>("[data-select-all]");
  tick("#one", true);
  expect([header.checked, header.indeterminate]).toEqual([false, true]);
  expect(find("[data-selected-count]").textContent).toBe("1");
  tick("[data-select-all]", true);
  expect(find<HTMLInputElement>("#two").checked).toBe(true);
  expect(find("[data-selected-count]").textContent).toBe("2");
  tick("[data-select-all]", false);
  expect(find("[data-selected-count]").textContent).toBe("0");
});

test("a form that does something is sent once, however often it is pressed, until its answer has had its time", () => {
  write('<form method="post"><button>Create</button></form><form method="get"><button>Find</button></form>');
  const sent: string[] = [];
  const note = (event: Event) => {
    if (!event.defaultPrevented) sent.push((event.target as HTMLFormElement).method);
    event.preventDefault();
  };
  const refuse = (event: Event) => event.preventDefault();
  const create = find("form[method=post] button");
  document.addEventListener("submit", refuse);
  create.click();
  document.removeEventListener("submit", refuse);
  window.addEventListener("submit", note);
  create.click();
  create.click();
  find("form[method=get] button").click();
  find("form[method=get] button").click();
  expect(sent).toEqual(["post", "get", "get"]);
  window.dispatchEvent(new Event("pageshow"));
  create.click();
  create.click();
  expect(sent).toEqual(["post", "get", "get", "post"]);
  vi.advanceTimersByTime(6_000);
  create.click();
  expect(sent).toEqual(["post", "get", "get", "post", "post"]);
  window.removeEventListener("submit", note);
});

test("Ctrl-K opens the palette; letters narrow it, arrows go round, Enter goes", () => {
  write(PALETTE);
  press("k", document.body, { ctrlKey: true });
  const field = find<HTMLInputElement>("[data-palette-field]");
  expect(find<HTMLDialogElement>("dialog").open).toBe(true);
  const chosen = () => find("[data-chosen]").id;
  press("ArrowUp", field);
  expect(chosen()).toBe("settings");
  press("ArrowDown", field);
  expect(chosen()).toBe("keys");
  type(field, "set");
  expect([isShown("#keys"), chosen()]).toEqual([false, "settings"]);
  press("Enter", field);
  expect(location.hash).toBe("#to-settings");
});

const FILTERS = `<form data-submit-on-change><select name="status"><option value="">Any<option value="active">Active</select>
  <input type="search" name="q"><input type="date" name="since"></form>`;

test("filters apply as soon as one is chosen; texts and unfinished dates wait", () => {
  write(FILTERS);
  const submitted: string[] = [];
  find("form").addEventListener("submit", (event) => {
    event.preventDefault();
    submitted.push(new URLSearchParams(new FormData(find<HTMLFormElement>("form")) as never).toString());
  });
  const choose = (selector: string, value: string) => {
    find<HTMLInputElement>(selector).value = value;
    find(selector).dispatchEvent(new Event("change", { bubbles: true }));
  };
  choose("[name=q]", "nightly");
  choose("[name=since]", "0202-11-01");
  expect(submitted).toEqual([]);
  find("[name=status]").focus();
  choose("[name=status]", "active");
  choose("[name=since]", "2026-11-01");
  expect(submitted).toEqual(["status=active&q=nightly&since=0202-11-01", "status=active&q=nightly&since=2026-11-01"]);
  expect(sessionStorage.getItem("gw_focus")).toBe(`${location.pathname} status`);
});

test("a page that was kept for the way back chooses what it is filtered by", () => {
  write(FILTERS);
  find<HTMLInputElement>("[name=status]").value = "active";
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: false }));
  expect(find<HTMLInputElement>("[name=status]").value).toBe("active");
  window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
  expect(find<HTMLInputElement>("[name=status]").value).toBe("");
});

test("a row leads where its first cell does, except from what does something of its own", () => {
  write(`<table class="table"><tbody><tr><td data-row-link><a href="#row">Key</a></td><td id="cell">$1</td><td><button>Revoke</button></td></tr>
    <tr class="table-detail"><td id="detail"><a href="#detail">More</a></td></tr></tbody></table>`);
  location.hash = "";
  find("#detail").click();
  find("button").click();
  expect(location.hash).toBe("");
  find("#cell").click();
  expect(location.hash).toBe("#row");
});

test("what the server finds by the letters stands below the pages, once one has stopped typing", async () => {
  const asked: string[] = [];
  const results = [
    { kind: "key", label: "nightly <b>", detail: "gw_ab…cd", to: "#to-nightly" },
    { kind: "organisation", label: "Lumen", detail: "lumen", to: "#to-lumen", switch_org_id: 7 },
  ];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return Response.json({ ok: true, results });
  });
  write(PALETTE);
  press("k", document.body, { ctrlKey: true });
  const field = find<HTMLInputElement>("[data-palette-field]");
  for (const letters of ["n", "ni", "nig"]) type(field, letters);
  await vi.advanceTimersByTimeAsync(200);
  expect(asked).toEqual(["/dashboard/search?q=nig"]);
  const rows = [...document.querySelectorAll("[data-palette-found] li")].map((row) => row.textContent);
  expect(rows).toEqual(["nightly <b> API key · gw_ab…cd", "Lumen lumen", "Lumen Switch"]);
  expect(find("[data-palette-found] form").innerHTML).toContain('name="org_id" value="7"');
  expect(find("[data-palette-status]").textContent).toContain("nightly");
  press("Enter", field);
  expect(location.hash).toBe("#to-nightly");
  type(field, "");
  expect(find("[data-palette-found]").children).toHaveLength(0);
  vi.unstubAllGlobals();
});

test("a rate limiter on the page is read again every two seconds", async () => {
  const state = { used: 3, free: 1, next_free_at: null as string | null, at: "2026-11-23T10:00:00Z", seconds: [0, 3] };
  vi.stubGlobal("fetch", async () => Response.json(state));
  document.documentElement.lang = "en";
  write(`<div data-limiter="/limiter" data-words='{"free":{"one":"# slot","other":"# slots"},"next":"in # s"}'><p data-limiter-used>0</p>
    <p data-limiter-free></p><p data-limiter-live hidden></p><svg><rect height="1"/><rect height="1"/></svg></div>`);
  await vi.advanceTimersByTimeAsync(2_100);
  expect(find("[data-limiter-used]").textContent).toBe("3");
  expect(find("[data-limiter-free]").textContent).toBe("1 slot");
  expect(isShown("[data-limiter-live]")).toBe(true);
  expect([...document.querySelectorAll("rect")].map((bar) => bar.getAttribute("height"))).toEqual(["1", "44"]);
  state.next_free_at = "2026-11-23T10:00:04.2Z";
  await vi.advanceTimersByTimeAsync(2_000);
  expect(find("[data-limiter-free]").textContent).toBe("in 5 s");
  vi.unstubAllGlobals();
});

test("parts of a page are read again, what is new is marked, and what somebody is at stays", async () => {
  const page = (rows: string, figure: string) =>
    `<div data-live="figures"><i data-live-mark hidden>Live</i><b>${figure}</b></div>
     <div data-live="rows"><table><tbody>${rows}</tbody></table></div>
     <div data-live="form"><input value="${figure}"></div>`;
  const row = (name: string, age = "now") => `<tr data-row="${name}"><td>${name}<time>${age}</time></td></tr>`;
  write(page(row("a"), "1"));
  const asked: string[] = [];
  const answer = (html: string | null) =>
    vi.stubGlobal("fetch", async (address: string) => {
      asked.push(String(address));
      return html === null ? new Response("", { status: 500 }) : new Response(html);
    });
  const { startLiveUpdates: keepLive } = await import("./live");
  keepLive();
  expect(isShown("[data-live-mark]")).toBe(true);
  find("input").focus();
  answer(page(row("b") + row("a", "a minute ago"), "2"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toEqual([location.href]);
  expect(find("b").textContent).toBe("2");
  expect(isShown("[data-live-mark]")).toBe(true);
  expect([...document.querySelectorAll("tr")].map(({ className }) => className)).toEqual(["row-new", ""]);
  expect(find<HTMLInputElement>("input").value).toBe("1");
  // Only the age of a row has changed: it is shown, and the next request is later.
  answer(page(row("b") + row("a", "two minutes ago"), "2"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(document.querySelector("tr + tr time")?.textContent).toBe("two minutes ago");
  expect(document.querySelector(".row-new")).toBe(null);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).toHaveLength(2);
  // Signed out, or the server does not answer: the page shows that it is no longer live, and sends no more requests.
  answer(null);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(isShown("[data-live-mark]")).toBe(false);
  const count = asked.length;
  await vi.advanceTimersByTimeAsync(300_000);
  expect(asked).toHaveLength(count);
  vi.unstubAllGlobals();
});
