import { CopyButton } from "./CopyButton";

/** A short text such as an id, with its copy button. */
export function CopyText({ text, what }: { text: string; what: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span className="mono truncate" title={text}>
        {text}
      </span>
      <CopyButton of={text} what={what} />
    </span>
  );
}
