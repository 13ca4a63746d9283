import { Fragment } from "react";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { describePage } from "../parts/describe-page";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { SideList } from "../parts/SideList";
import { readSite } from "../parts/site.server";
import { CONTROLS, type Control } from "./controls";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Controls",
  description: "What is enforced, how, and the name of the test that fails when it is not.",
  path: "/controls",
});

export const loader = readSite;

export default function Controls() {
  const tests = CONTROLS.flatMap(({ controls }) => controls.flatMap((control) => control.tests));
  return (
    <PublicPage lang="en">
      <PageIntro
        title="What is enforced, and the test that says so"
        lead={
          <>
            {CONTROLS.reduce((sum, { controls }) => sum + controls.length, 0)} rules and {tests.length} of the tests
            behind them, by name. Whoever runs gw can run them all with <code className="mono">npm test</code>. A test
            of its own makes sure that every name on this page exists.
          </>
        }
      />
      <div className="mt-10 grid gap-x-14 gap-y-10 lg:grid-cols-side">
        <aside className="lg:sticky lg:top-6 lg:self-start">
          <SideList title="Areas" links={CONTROLS.map(({ id, title }) => ({ path: `#${id}`, name: title }))} />
        </aside>
        <div className="grid min-w-0 gap-12">
          {CONTROLS.map(({ id, title, controls }) => (
            <section key={id} id={id} className="min-w-0">
              <h2 className="mb-4 text-4xl">{title}</h2>
              <div className="panel divide-y divide-line">
                {controls.map((control) => (
                  <ControlRow key={control.rule} control={control} />
                ))}
              </div>
            </section>
          ))}
        </div>
      </div>
      <ReadNext
        links={[
          ["/certifications", "Certifications", "What this is evidence of, and what it is not."],
          ["/security", "Security", "The same in an overview."],
          ["/architecture", "Architecture", "Where in the way of a request each rule sits."],
        ]}
      />
    </PublicPage>
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
