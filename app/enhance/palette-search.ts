const QUIET_MS = 150;
const MIN_LETTERS = 2;

type Found = { kind: string; label: string; detail: string; to: string; switch_org_id?: number };

let waiting: ReturnType<typeof setTimeout> | undefined;
let current: AbortController | undefined;

/** Asks the server for what matches, once somebody has stopped typing for a moment, and lists it in the field's palette. */
export function findAsTyped(field: HTMLInputElement, listed: () => void): void {
  clearTimeout(waiting);
  current?.abort();
  const list = field.closest("dialog")?.querySelector<HTMLElement>("[data-palette-found]");
  const text = field.value.trim();
  if (!list) return;
  if (text.length < MIN_LETTERS) {
    list.replaceChildren();
    return;
  }
  const asked = new AbortController();
  current = asked;
  waiting = setTimeout(async () => {
    const results = await ask(`${list.dataset.paletteFound}?q=${encodeURIComponent(text)}`, asked.signal);
    if (results === null || asked.signal.aborted) return;
    const words = JSON.parse(list.dataset.words ?? "{}") as Record<string, string>;
    list.replaceChildren(...results.flatMap((found) => rowsOf(found, words)));
    listed();
  }, QUIET_MS);
}

/** Null: no answer that can be listed, such as that of a session that has ended; what is listed stays. */
async function ask(address: string, signal: AbortSignal): Promise<Found[] | null> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" }, signal });
    return response.ok ? ((await response.json()) as { results: Found[] }).results : null;
  } catch {
    return null;
  }
}

function rowsOf(
  { kind, label, detail, to, switch_org_id: organisation }: Found,
  words: Record<string, string>,
): Element[] {
  const link = document.createElement("a");
  link.href = to;
  const rows = [rowOf(link, label, [words[kind], detail])];
  if (organisation !== undefined) rows.push(switchTo(organisation, label, words.switch ?? ""));
  return rows;
}

/** The form that switches the admin view to an organisation. */
function switchTo(organisation: number, label: string, word: string): Element {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/dashboard/set-admin-org";
  const id = document.createElement("input");
  id.type = "hidden";
  id.name = "org_id";
  id.value = String(organisation);
  const button = document.createElement("button");
  form.append(id, button);
  const row = rowOf(button, label, [word]);
  row.append(form);
  return row;
}

function rowOf(target: HTMLElement, label: string, notes: (string | undefined)[]): Element {
  const row = document.createElement("li");
  row.dataset.paletteRow = "";
  target.className = "palette-row";
  const name = document.createElement("span");
  name.textContent = label;
  const note = document.createElement("span");
  note.className = "palette-note";
  note.textContent = notes.filter(Boolean).join(" · ");
  target.append(name, " ", note);
  if (!target.parentElement) row.append(target);
  return row;
}
