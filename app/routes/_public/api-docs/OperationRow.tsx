import type { ReactNode } from "react";
import { CopyButton } from "~/ui/CopyButton";
import { CodeChoice } from "../parts/CodeChoice";
import { FieldTree } from "./FieldTree";
import type { ShownContent, ShownField, ShownOperation } from "./shared";

const METHOD_LOOKS: Readonly<Record<string, string>> = {
  GET: "text-info",
  POST: "text-accent",
  PATCH: "text-held-ink",
  PUT: "text-held-ink",
  DELETE: "text-bad",
};

/** One operation: its line, which opens all its details. A URL with its id as fragment opens it. */
export function OperationRow({ operation }: { operation: ShownOperation }) {
  const { id, matches, searchText } = operation;
  if (operation.isPlainPage) return <PageRow operation={operation} />;
  return (
    <details data-filter-entry data-filter-text={searchText} hidden={!matches}>
      <summary className="operation">
        <OperationLine operation={operation} />
      </summary>
      <div id={id} className="grid min-w-0 scroll-mt-36 gap-6 border-line border-t border-dashed px-4 py-5">
        <Facts operation={operation} />
        <Fields title="Path" fields={operation.pathFields} />
        <Fields title="Query" fields={operation.queryFields} />
        <Fields title="Headers" fields={operation.headerFields} />
        {operation.body ? <Body body={operation.body} /> : null}
        <Part title="Example">
          <CodeChoice
            id={`${id}-example`}
            title={`Example of ${operation.method} ${operation.path}`}
            samples={operation.samples}
          />
        </Part>
        <Answers operation={operation} />
        <Codes codes={operation.errors} />
      </div>
    </details>
  );
}

/** An HTML page without parameters: it needs no details. */
function PageRow({ operation }: { operation: ShownOperation }) {
  const { id, matches, searchText, path } = operation;
  return (
    <a href={path} id={id} data-filter-entry data-filter-text={searchText} hidden={!matches} className="operation">
      <OperationLine operation={operation} />
    </a>
  );
}

function OperationLine({ operation: { method, path, summary } }: { operation: ShownOperation }) {
  return (
    <>
      <b className={METHOD_LOOKS[method] ?? "text-ink-2"}>{method}</b>
      <code>{path}</code>
      <span>{summary}</span>
    </>
  );
}

function Facts({ operation: { id, description, access } }: { operation: ShownOperation }) {
  return (
    <div className="grid gap-3">
      {description
        .split("\n\n")
        .filter(Boolean)
        .map((text) => (
          <p key={text} className="max-w-lead">
            {marked(text)}
          </p>
        ))}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-ui text-ink-3">
        <span>
          For: <span className="text-ink">{access}</span>
        </span>
        <a href={`#${id}`} className="hover:text-accent">
          Link to this
        </a>
        <span>
          <span className="mono">{id}</span> <CopyButton of={id} what={id} />
        </span>
      </p>
    </div>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly ShownField[] }) {
  if (fields.length === 0) return null;
  return (
    <Part title={title}>
      <FieldTree fields={fields} />
    </Part>
  );
}

function Body({ body }: { body: ShownContent }) {
  return (
    <Part title="Body" note={body.type}>
      {body.fields.length > 0 ? <FieldTree fields={body.fields} /> : <p className="text-ink-2">Any object.</p>}
    </Part>
  );
}

function Answers({ operation: { answers } }: { operation: ShownOperation }) {
  return (
    <Part title="Answer">
      {answers.map((answer) => (
        <Answer key={answer.status} answer={answer} />
      ))}
    </Part>
  );
}

function Answer({ answer: { status, description, contents, headers } }: { answer: ShownOperation["answers"][number] }) {
  const types = contents.map(({ type }) => type).join(", ");
  const line = (
    <>
      <span className={`mono font-semibold ${status === "200" ? "text-accent" : "text-held-ink"}`}>{status}</span>
      <span className="text-ink-2">{description}</span>
      <span className="mono ml-auto text-xs text-ink-3">{types}</span>
    </>
  );
  const trees = contents.filter(({ fields }) => fields.length > 0);
  if (trees.length === 0 && headers.length === 0) return <p className="answer">{line}</p>;
  return (
    <details className="answer">
      <summary>{line}</summary>
      <div className="grid gap-4 border-line border-t px-3 py-3">
        {trees.map(({ type, fields }) => (
          <FieldTree key={type} fields={fields} />
        ))}
        <Fields title="Headers" fields={headers} />
      </div>
    </details>
  );
}

function Codes({ codes }: { codes: readonly string[] }) {
  if (codes.length === 0) return null;
  return (
    <Part title="Codes to know">
      <p className="flex flex-wrap gap-x-4 gap-y-1.5">
        {codes.map((code) => (
          <a key={code} href={`/api-docs/errors#${code}`} className="mono link break-all py-[2px]">
            {code}
          </a>
        ))}
      </p>
    </Part>
  );
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4 font-semibold text-md tracking-normal">
        {title} {note ? <span className="mono font-normal text-xs text-ink-3">{note}</span> : null}
      </h3>
      {children}
    </div>
  );
}

/** Text between backquotes becomes code. */
export function marked(text: string): ReactNode[] {
  return text.split(/(`[^`]+`)/).map((part) =>
    part.startsWith("`") ? (
      <code key={part} className="mono rounded bg-sunken px-1">
        {part.slice(1, -1)}
      </code>
    ) : (
      part
    ),
  );
}
