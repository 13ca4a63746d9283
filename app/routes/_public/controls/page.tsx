import { Fragment } from "react";
import type { PageHandle } from "~/ui/page-handle";
import { ContentBands } from "../parts/ContentBands";
import { contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { Route } from "./+types/page";
import { CONTROLS, type Control } from "./controls";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/controls");

export const loader = ({ context }: Route.LoaderArgs) => readContentPage("controls", context);

const RULES = CONTROLS.flatMap(({ controls }) => controls);
const COUNTS = { rules: `${RULES.length}`, tests: `${RULES.flatMap(({ tests }) => tests).length}` };

export default function Controls({ loaderData: { content } }: Route.ComponentProps) {
  return (
    <ContentBands
      content={content}
      parts={{ values: COUNTS, components: { Rules: ({ area }) => <Rules area={area} /> } }}
    />
  );
}

function Rules({ area }: { area: string | undefined }) {
  const controls = CONTROLS.find(({ id }) => id === area)?.controls ?? [];
  return (
    <div className="panel divide-y divide-line">
      {controls.map((control) => (
        <ControlRow key={control.rule} control={control} />
      ))}
    </div>
  );
}

function ControlRow({ control: { rule, how, tests } }: { control: Control }) {
  return (
    <article className="grid min-w-0 gap-2 px-5 py-4">
      <h3 className="font-semibold tracking-normal">{rule}</h3>
      <p className="text-ink-2">{how}</p>
      <ul className="grid min-w-0 gap-1.5 border-line border-l-2 pl-3.5 text-ui">
        {tests.map(({ file, name }) => (
          <li key={name} className="min-w-0">
            “{name}”<span className="mono block break-words text-xs text-ink-3">{breakable(file)}</span>
          </li>
        ))}
      </ul>
    </article>
  );
}

/** Paths break after a slash on narrow screens. */
function breakable(path: string) {
  return path.split(/(?<=\/)/).map((part) => (
    <Fragment key={part}>
      {part}
      <wbr />
    </Fragment>
  ));
}
