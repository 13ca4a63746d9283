import { searchAsTyped } from "./search";

type Found = { kind: string; label: string; detail: string; to: string; switch_org_id?: number };

/** Lists the server's matches in the field's palette. Earlier matches stay visible until the answer arrives. */
export function findAsTyped(field: HTMLInputElement, listed: () => void): void {
  const list = field.closest("dialog")?.querySelector<HTMLElement>("[data-palette-found]");
  if (!list) return;
  const isAsked = searchAsTyped<Found>(list.dataset.paletteFound ?? "", field.value, (results) => {
    const labels = JSON.parse(list.dataset.words ?? "{}") as Record<string, string>;
    list.replaceChildren(...results.flatMap((result) => rowsOf(result, labels)));
    listed();
  });
  if (!isAsked) list.replaceChildren();
}

function rowsOf(
  { kind, label, detail, to, switch_org_id: organisation }: Found,
  labels: Record<string, string>,
): Element[] {
  const link = createElement("a", { href: to });
  const rows = [rowOf(link, label, [labels[kind], detail])];
  if (organisation !== undefined) rows.push(switchTo(organisation, label, labels.switch ?? ""));
  return rows;
}

/** Returns the form that switches the admin view to an organisation. */
function switchTo(organisation: number, label: string, word: string): Element {
  const form = createElement("form", { method: "post", action: "/dashboard/set-admin-org" });
  const button = createElement("button");
  form.append(createElement("input", { type: "hidden", name: "org_id", value: String(organisation) }), button);
  const row = rowOf(button, label, [word]);
  row.append(form);
  return row;
}

function rowOf(target: HTMLElement, label: string, notes: (string | undefined)[]): Element {
  const row = createElement("li");
  row.dataset.paletteRow = "";
  target.className = "palette-row";
  const note = createElement("span", { className: "palette-note", textContent: notes.filter(Boolean).join(" · ") });
  target.append(createElement("span", { textContent: label }), " ", note);
  if (!target.parentElement) row.append(target);
  return row;
}

const createElement = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, fields: Record<string, string> = {}) =>
  Object.assign(document.createElement(tag), fields);
