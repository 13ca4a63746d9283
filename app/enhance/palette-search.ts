import { searchAsTyped } from "./search";

type Found = { kind: string; label: string; detail: string; to: string; switch_org_id?: number };

/** Lists the server's matches in the field's palette. Earlier matches stay visible until the answer arrives. */
export function findAsTyped(field: HTMLInputElement, listed: () => void): void {
  const list = field.closest("dialog")?.querySelector<HTMLElement>("[data-palette-found]");
  if (!list) return;
  const isAsked = searchAsTyped<Found>(list.dataset.paletteFound ?? "", field.value, (results) => {
    const words = JSON.parse(list.dataset.words ?? "{}") as Record<string, string>;
    list.replaceChildren(...results.flatMap((found) => rowsOf(found, words)));
    listed();
  });
  if (!isAsked) list.replaceChildren();
}

function rowsOf(
  { kind, label, detail, to, switch_org_id: organisation }: Found,
  words: Record<string, string>,
): Element[] {
  const link = made("a", { href: to });
  const rows = [rowOf(link, label, [words[kind], detail])];
  if (organisation !== undefined) rows.push(switchTo(organisation, label, words.switch ?? ""));
  return rows;
}

/** Returns the form that switches the admin view to an organisation. */
function switchTo(organisation: number, label: string, word: string): Element {
  const form = made("form", { method: "post", action: "/dashboard/set-admin-org" });
  const button = made("button");
  form.append(made("input", { type: "hidden", name: "org_id", value: String(organisation) }), button);
  const row = rowOf(button, label, [word]);
  row.append(form);
  return row;
}

function rowOf(target: HTMLElement, label: string, notes: (string | undefined)[]): Element {
  const row = made("li");
  row.dataset.paletteRow = "";
  target.className = "palette-row";
  const note = made("span", { className: "palette-note", textContent: notes.filter(Boolean).join(" · ") });
  target.append(made("span", { textContent: label }), " ", note);
  if (!target.parentElement) row.append(target);
  return row;
}

const made = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, fields: Record<string, string> = {}) =>
  Object.assign(document.createElement(tag), fields);
