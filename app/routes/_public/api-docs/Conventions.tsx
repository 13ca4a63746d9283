import { href } from "react-router";
import { FactList } from "../parts/FactList";

/** What holds for every operation, said once. */
export function Conventions({ baseUrl }: { baseUrl: string }) {
  return (
    <section aria-label="What holds for every operation" className="mt-6">
      <FactList
        facts={[
          {
            name: "Keys",
            text: (
              <>
                <code className="mono">Authorization: Bearer gw_…</code>, or <code className="mono">x-api-key</code> for
                messages SDKs. Management takes admin keys only.
              </>
            ),
          },
          {
            name: "Errors",
            text: (
              <>
                Under <code className="mono">/v1</code> an <code className="mono">error</code> with{" "}
                <code className="mono">code</code>, <code className="mono">type</code>,{" "}
                <code className="mono">message</code> and <code className="mono">human_message</code>; elsewhere the
                same fields at the top.{" "}
                <a href={href("/api-docs/errors")} className="link">
                  All codes
                </a>
                .
              </>
            ),
          },
          {
            name: "422",
            text: (
              <>
                Values that do not hold: <code className="mono">detail</code> has one{" "}
                <code className="mono">{"{loc, msg, type}"}</code> for each, <code className="mono">code</code> is{" "}
                <code className="mono">validation_error</code>.
              </>
            ),
          },
          {
            name: "The portal as an API",
            text: (
              <>
                Operations of the portal take a form or JSON. Send{" "}
                <code className="mono">Accept: application/json</code>, the session’s cookie and{" "}
                <code className="mono">Origin: {baseUrl}</code>.
              </>
            ),
          },
        ]}
      />
    </section>
  );
}
