import { CodeSample } from "~/ui/CodeSample";
import { CopyButton } from "~/ui/CopyButton";

export type Sample = { name: string; text: string };

/** The same sample in several languages, one of them visible. Works without script; `id` is unique on the page. */
export function CodeChoice({ id, title, samples }: { id: string; title: string; samples: readonly Sample[] }) {
  const [only] = samples;
  if (only && samples.length === 1) return <CodeSample name={only.name} id={`${id}-code`} text={only.text} />;
  return (
    <figure className="choice panel relative min-w-0 overflow-hidden" data-choice>
      <figcaption className="border-line border-b bg-sunken/60 py-2 pr-16 pl-2 text-ui">
        <fieldset className="flex flex-wrap items-center gap-1">
          <legend className="sr-only">{title}</legend>
          {samples.map(({ name }, position) => (
            <FragmentOfChoice key={name} group={id} name={name} isFirst={position === 0} />
          ))}
        </fieldset>
      </figcaption>
      <div>
        {samples.map(({ name, text }) => (
          <div key={name} className="choice-panel">
            <span className="absolute top-[0.7rem] right-2.5">
              <CopyButton of={`#${id}-${slug(name)}-code`} what={`${title}, ${name}`} />
            </span>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
            <pre tabIndex={0} className="overflow-x-auto px-4 py-3.5 font-mono text-sm leading-relaxed">
              <code id={`${id}-${slug(name)}-code`}>{text}</code>
            </pre>
          </div>
        ))}
      </div>
    </figure>
  );
}

function FragmentOfChoice({ group, name, isFirst }: { group: string; name: string; isFirst: boolean }) {
  const own = `${group}-${slug(name)}`;
  return (
    <>
      <input
        type="radio"
        id={own}
        name={group}
        value={slug(name)}
        defaultChecked={isFirst}
        className="choice-button sr-only"
      />
      <label
        htmlFor={own}
        className="choice-label cursor-pointer rounded-md border border-transparent px-2.5 py-1 text-ink-2 hover:text-ink"
      >
        {name}
      </label>
    </>
  );
}

const slug = (name: string) => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
