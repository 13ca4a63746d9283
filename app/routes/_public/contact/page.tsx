import { href } from "react-router";
import { config } from "~/config.server";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { describePage } from "../parts/describe-page";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { readSite } from "../parts/site.server";
import type { Route } from "./+types/page";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Contact",
  description: "Who runs this installation of gw, and how to reach them.",
  path: "/contact",
});

export const loader = () => ({ ...readSite(), operator: config().operator });

export default function Contact({ loaderData: { operator } }: Route.ComponentProps) {
  const rows = [
    ["Operator", operator.name],
    ["Address", operator.address],
    ["Country", operator.country],
    ["E-mail", operator.email],
  ] as const;
  const isSilent = rows.every(([, value]) => value === null);
  return (
    <PublicPage lang="en">
      <PageIntro
        title="Who runs this installation"
        lead="gw is software that anybody can run. Questions about your account, your bill or your data go to those who run this one."
      />
      {isSilent ? (
        <p className="mt-8 max-w-text rounded-lg border border-held/50 bg-held-soft px-5 py-4">
          The operator of this installation has not said who they are. If that is you: set{" "}
          <code className="mono">GW_OPERATOR_NAME</code>, <code className="mono">GW_OPERATOR_ADDRESS</code>,{" "}
          <code className="mono">GW_OPERATOR_EMAIL</code> and <code className="mono">GW_OPERATOR_COUNTRY</code>, and
          start again.
        </p>
      ) : (
        <dl className="panel mt-8 max-w-text divide-y divide-line">
          {rows.map(([name, value]) => (
            <div key={name} className="grid gap-x-8 px-5 py-3.5 sm:grid-cols-term">
              <dt className="text-ink-3">{name}</dt>
              <dd className="break-words font-strong">
                {value === null ? (
                  <span className="font-normal text-ink-3">not filled in by the operator</span>
                ) : name === "E-mail" ? (
                  <a href={`mailto:${value}`} className="link">
                    {value}
                  </a>
                ) : (
                  value
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <section className="mt-14 max-w-text">
        <h2 className="text-3xl">Before you write</h2>
        <ul className="prose mt-4">
          <li>
            About one request: add its <code className="mono">x-request-id</code>. With it the call is found in a
            moment.
          </li>
          <li>
            About an error: the{" "}
            <a href={href("/api-docs/errors")} className="link">
              list of codes
            </a>{" "}
            says what to do for each.
          </li>
          <li>
            About a weakness: the{" "}
            <a href={href("/legal/security")} className="link">
              security policy
            </a>{" "}
            says how to report it.
          </li>
          <li>Never send a key. Nobody needs it to help you.</li>
        </ul>
      </section>
      <ReadNext
        links={[
          ["/guide", "Guide", "Most questions of the first hour."],
          ["/legal/privacy", "Privacy", "Which data is processed, and your rights."],
          ["/partners", "Partners", "For resellers."],
        ]}
      />
    </PublicPage>
  );
}
