/** Listens for an event in the whole document; calls back with the event and its target if the target is an element. */
export function listen<Kind extends keyof DocumentEventMap>(
  kind: Kind,
  handle: (event: DocumentEventMap[Kind], target: Element) => void,
): void {
  document.addEventListener(kind, (event) => {
    if (event.target instanceof Element) handle(event, event.target);
  });
}

/** Returns the elements that match a selector, as an array. */
export const all = <Kind extends Element = HTMLElement>(selector: string, root: ParentNode = document): Kind[] => [
  ...root.querySelectorAll<Kind>(selector),
];

/** Returns a test for texts that contain all typed words, in any order and case. */
export function containsWords(typed: string): (text: string) => boolean {
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => terms.every((word) => text.toLowerCase().includes(word));
}

/** Fetches JSON. Returns null if the answer is not usable, for example because the session has ended. */
export async function jsonFrom<Answer>(address: string, signal: AbortSignal | null = null): Promise<Answer | null> {
  try {
    const response = await fetch(address, { headers: { accept: "application/json" }, signal });
    return response.ok ? ((await response.json()) as Answer) : null;
  } catch {
    return null;
  }
}
