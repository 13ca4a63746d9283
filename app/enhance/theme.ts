import { all, listen } from "./dom";

/** Switches the theme without reloading the page. */
export function switchTheme(): void {
  listen("submit", (event, form) => {
    const theme = (event.submitter as HTMLButtonElement | null)?.value;
    if (!(form instanceof HTMLFormElement) || !form.matches("[data-theme-choice]") || !theme) return;
    event.preventDefault();
    const secure = location.protocol === "https:" ? "; Secure" : "";
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser in use.
    document.cookie = `gw_theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
    const root = document.documentElement;
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const button of all<HTMLButtonElement>("[data-theme-choice] button[aria-pressed]"))
      button.setAttribute("aria-pressed", String(button.value === theme));
    // Another form of the page may have the same choice; saving it must not undo this one.
    for (const radio of all<HTMLInputElement>("input[type=radio][name=theme]")) radio.checked = radio.value === theme;
  });
}
