/** Calls back for every event of this kind in the document whose target is an element, and hands over both. */
export function listen<Kind extends keyof DocumentEventMap>(
  kind: Kind,
  handle: (event: DocumentEventMap[Kind], target: Element) => void,
): void {
  document.addEventListener(kind, (event) => {
    if (event.target instanceof Element) handle(event, event.target);
  });
}

/** The elements of the page that a selector names, as an array. */
export const all = <Kind extends Element = HTMLElement>(selector: string, within: ParentNode = document): Kind[] => [
  ...within.querySelectorAll<Kind>(selector),
];

/** A test for texts that hold every one of the words typed, in any order and case. */
export function holdsWords(typed: string): (text: string) => boolean {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => words.every((word) => text.toLowerCase().includes(word));
}

/** What an address answers as JSON; null: nothing that can be used, such as the answer to a session that has ended. */
export async function jsonFrom<Answer>(address: string, signal: AbortSignal | null = null): Promise<Answer | null> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" }, signal });
    return response.ok ? ((await response.json()) as Answer) : null;
  } catch {
    return null;
  }
}
