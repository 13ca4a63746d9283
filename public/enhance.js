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
      const text = entry.textContent.toLowerCase();
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
