import { useTranslation } from "react-i18next";
import { CopyButton } from "./CopyButton";

export type Snippet = { id: string; label: string; code: string };

/** Code samples for several clients. Radio buttons choose the visible one and need no script. */
export function Snippets({ name, samples }: { name: string; samples: readonly Snippet[] }) {
  const { t } = useTranslation("ui");
  return (
    <fieldset className="snippets">
      <legend className="sr-only">{t("client")}</legend>
      {samples.map((sample, index) => (
        <div key={sample.id} className="snippet">
          <input
            type="radio"
            name={name}
            id={`${name}-${sample.id}`}
            value={sample.id}
            defaultChecked={index === 0}
            className="sr-only"
          />
          <label htmlFor={`${name}-${sample.id}`}>{sample.label}</label>
          <div className="snippet-code">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
            <pre tabIndex={0} id={`${name}-${sample.id}-code`}>
              {sample.code}
            </pre>
            <CopyButton of={`#${name}-${sample.id}-code`} what={sample.label} />
          </div>
        </div>
      ))}
    </fieldset>
  );
}
