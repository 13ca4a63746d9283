import { CopyButton } from "./CopyButton";

/** A code block with a name and a copy button. `id` is unique on the page. */
export function CodeSample({ name, id, text }: { name: string; id: string; text: string }) {
  return (
    <figure className="panel min-w-0 overflow-hidden">
      <figcaption className="flex items-center justify-between border-line border-b px-4 py-2 text-ui text-ink-2">
        {name}
        <CopyButton of={`#${id}`} what={name} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <pre tabIndex={0} className="overflow-x-auto bg-sunken px-4 py-3 font-mono text-sm leading-relaxed">
        <code id={id}>{text}</code>
      </pre>
    </figure>
  );
}
