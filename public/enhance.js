// What the plain pages do beyond links and forms. They all work without it.
const root = document.documentElement;
root.dataset.enhanced = "";

// The chosen colours, at once and without loading the page again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const theme = event.submitter?.value;
  if (!form.matches("[data-theme-choice]") || !theme) return;
  event.preventDefault();
  const secure = location.protocol === "https:" ? "; Secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser in use.
  document.cookie = `gw_theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  for (const button of form.elements) {
    if (button.type === "submit") button.setAttribute("aria-pressed", String(button.value === theme));
  }
});

// Copy buttons; the selection is the way that also works over plain http.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = button.dataset.copy;
  const text = source.startsWith("#") ? document.querySelector(source).textContent : source;
  const copied = navigator.clipboard
    ? await navigator.clipboard.writeText(text).then(
        () => true,
        () => false,
      )
    : copyBySelection(text);
  if (!copied) return;
  button.dataset.copied = "";
  setTimeout(() => delete button.dataset.copied, 1_600);
});

function copyBySelection(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}

// A search box narrows the entries of its page while one types; the address keeps the words.
const filter = document.querySelector("[data-filter]");
filter?.addEventListener("input", () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const section of document.querySelectorAll("[data-filter-section]")) {
    let inSection = 0;
    for (const entry of section.querySelectorAll("[data-filter-entry]")) {
      const text = (entry.dataset.filterText ?? entry.textContent).toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
      if (!entry.hidden) inSection += 1;
    }
    section.hidden = inSection === 0;
    shown += inSection;
  }
  const count = document.querySelector("[data-filter-count]");
  if (count) count.textContent = String(shown);
  const nothing = document.querySelector("[data-filter-nothing]");
  if (nothing) nothing.hidden = shown > 0;
  const address = new URL(location.href);
  if (filter.value.trim()) address.searchParams.set("q", filter.value.trim());
  else address.searchParams.delete("q");
  history.replaceState(history.state, "", address);
});
filter?.form?.addEventListener("submit", (event) => event.preventDefault());

// A choice of language in one example is the choice in all examples of the page that have it.
document.addEventListener("change", (event) => {
  if (!event.target.matches(".choice-button")) return;
  for (const button of document.querySelectorAll(`.choice-button[value="${event.target.value}"]`))
    button.checked = true;
});

// The small menu closes where people expect it to.
const menu = document.querySelector(".site-menu");
document.addEventListener("click", (event) => {
  if (menu?.open && !menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !menu?.open) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Menus close when the attention goes elsewhere.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(event.target) || event.target.closest("a")) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// Dialogs, for browsers that do not yet open them by attribute.
if (!("commandForElement" in HTMLButtonElement.prototype)) {
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[commandfor]");
    const dialog = button && document.getElementById(button.getAttribute("commandfor"));
    if (!dialog) return;
    if (button.getAttribute("command") === "show-modal") dialog.showModal();
    else dialog.close();
  });
}

// Messages leave by themselves, unless somebody is reading them.
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-toast-close]")) event.target.closest(".toast").hidden = true;
});
setInterval(() => {
  for (const toast of document.querySelectorAll(".toast[data-toast=good]:not([hidden])")) {
    toast.dataset.age = String(Number(toast.dataset.age ?? 0) + 1);
    if (Number(toast.dataset.age) > 6 && !toast.matches(":hover, :focus-within")) toast.hidden = true;
  }
}, 1_000);

// Which columns of a table are in sight: kept in this browser, applied as rules so that they outlive new rows.
const columnRules = new CSSStyleSheet();
document.adoptedStyleSheets = [...document.adoptedStyleSheets, columnRules];
const hiddenColumns = readHiddenColumns();
applyHiddenColumns();
document.addEventListener("change", (event) => {
  const table = event.target.closest("[data-columns-of]")?.dataset.columnsOf;
  if (!table) return;
  const hidden = new Set(hiddenColumns[table] ?? []);
  if (event.target.checked) hidden.delete(event.target.value);
  else hidden.add(event.target.value);
  hiddenColumns[table] = [...hidden];
  try {
    localStorage.setItem("gw_columns", JSON.stringify(hiddenColumns));
  } catch {
    // A browser that keeps nothing still hides the column on this page.
  }
  applyHiddenColumns();
});
document.addEventListener(
  "toggle",
  (event) => {
    for (const list of event.target.querySelectorAll?.("[data-columns-of]") ?? []) {
      const hidden = hiddenColumns[list.dataset.columnsOf] ?? [];
      for (const box of list.querySelectorAll("input")) box.checked = !hidden.includes(box.value);
    }
  },
  true,
);

function readHiddenColumns() {
  try {
    return JSON.parse(localStorage.getItem("gw_columns") ?? "{}");
  } catch {
    return {};
  }
}

function applyHiddenColumns() {
  const selectors = Object.entries(hiddenColumns).flatMap(([table, columns]) =>
    columns.map((column) => `[data-table="${CSS.escape(table)}"] [data-col="${CSS.escape(column)}"]`),
  );
  columnRules.replaceSync(selectors.length === 0 ? "" : `${selectors.join(",")} { display: none }`);
}

// Ctrl-K: to a page by a few letters.
const openPalette = () => {
  const palette = document.querySelector("[data-palette]");
  if (!palette || palette.open) return;
  palette.querySelector("[data-palette-field]").value = "";
  narrowPalette("");
  palette.showModal();
};
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
  }
  if (!event.target.closest?.("[data-palette]")) return;
  const shown = [...document.querySelectorAll("[data-palette-row]:not([hidden])")];
  const at = shown.findIndex((row) => "chosen" in row.dataset);
  if (event.key === "Enter") {
    event.preventDefault();
    (shown[Math.max(at, 0)] ?? null)?.querySelector("a").click();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const next = shown[(at + (event.key === "ArrowDown" ? 1 : -1) + shown.length) % shown.length];
    if (at >= 0) delete shown[at].dataset.chosen;
    if (next) next.dataset.chosen = "";
    next?.scrollIntoView({ block: "nearest" });
  }
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-palette-open]")) openPalette();
  else if (event.target.matches("[data-palette]")) event.target.close();
});
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-palette-field]")) narrowPalette(event.target.value);
});

function narrowPalette(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let first = true;
  for (const row of document.querySelectorAll("[data-palette-row]")) {
    row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    delete row.dataset.chosen;
    if (!row.hidden && first) {
      row.dataset.chosen = "";
      first = false;
    }
  }
}

// A page that waits for something asks for it, and is read again when it is there.
const awaited = document.querySelector("[data-await]");
if (awaited) {
  const timer = setInterval(async () => {
    if (document.hidden) return;
    const response = await fetch(awaited.dataset.await, { headers: { accept: "application/json" } }).catch(() => null);
    const state = response?.ok ? await response.json() : null;
    if (!state?.[awaited.dataset.awaitField]) return;
    clearInterval(timer);
    location.reload();
  }, 2_000);
}
