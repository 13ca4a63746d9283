import { href } from "react-router";
import { CodeSample } from "~/ui/CodeSample";
import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { readModelsToTry } from "../guide/read-models-to-try.server";
import { Band } from "../parts/Band";
import { describePage } from "../parts/describe-page";
import { FactList } from "../parts/FactList";
import { PageIntro } from "../parts/PageIntro";
import { ReadNext } from "../parts/ReadNext";
import { ScrollRegion } from "../parts/ScrollRegion";
import { readSite } from "../parts/site.server";
import type { Route } from "./+types/page";
import { clientLibraries } from "./client-libraries";
import { sdkPrograms } from "./samples";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Developers",
  description: "Which client libraries work with gw, which address each one gets, and where the references are.",
  path: "/developers",
});

export const loader = () => ({ ...readSite(), models: readModelsToTry() });

export default function Developers({ loaderData: { baseUrl, models } }: Route.ComponentProps) {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="Keep your code. Change two lines."
        lead="gw speaks the wire formats that official SDKs parse, byte for byte, with their typed errors, their streams and their retries."
      >
        <a href={`${href("/guide")}#first-call`} className="button button-primary">
          Make the first call
        </a>
        <a href={href("/api-docs")} className="button">
          API reference
        </a>
      </PageIntro>
      <Band
        title="Client libraries"
        text={
          <p>
            Each of these runs unmodified in the tests: whole answers, streams, tools, images, errors, and leaving in
            the middle.
          </p>
        }
      >
        <ScrollRegion name="Client libraries">
          <table className="data-table min-w-160">
            <thead>
              <tr>
                <th scope="col">Package</th>
                <th scope="col">Tested with</th>
                <th scope="col">Setting</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              {clientLibraries(baseUrl).map(([name, version, setting, value]) => (
                <tr key={name}>
                  <td className="mono">{name}</td>
                  <td className="mono text-ink-2">{version}</td>
                  <td className="mono">{setting}</td>
                  <td className="mono text-ink-2">{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
        <p className="text-ink-2">
          Libraries in other languages of the same families use the same two settings. In Python:{" "}
          <code className="mono">OpenAI(base_url=…)</code> and <code className="mono">Anthropic(base_url=…)</code>.
        </p>
      </Band>
      {sdkPrograms(baseUrl, models).map(({ id, name, about, install, file, text }) => (
        <Band key={id} id={id} title={name} text={<p>{about}</p>}>
          {install ? <CodeSample name="Install" id={`${id}-install`} text={install} /> : null}
          <CodeSample name={file} id={`${id}-program`} text={text} />
        </Band>
      ))}
      <Band title="Regions and failover" text={<p>The same for every client, without a line of code.</p>}>
        <FactList facts={REGIONS} />
      </Band>
      <Band title="For programs" text={<p>Readable from any site, with an ETag.</p>}>
        <ul className="panel divide-y divide-line">
          {FOR_PROGRAMS.map(([path, text]) => (
            <li key={path} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3">
              <a href={path} className="mono link">
                {path}
              </a>
              <span className="text-ink-2">{text}</span>
            </li>
          ))}
        </ul>
      </Band>
      <Band title="Good to know" text={<p>What surprises people, in one place.</p>}>
        <FactList facts={SURPRISES} />
      </Band>
      <ReadNext
        links={[
          ["/guide", "Guide", "From nothing to production."],
          ["/agents", "Coding agents", "The agent in your terminal, through gw."],
          ["/resources", "Resources", "Documents and references."],
        ]}
      />
    </PublicPage>
  );
}

const REGIONS = [
  {
    name: "Where a request may go",
    text: "The key’s allowed_regions and the request’s region both have to allow a supplier. eu admits eu and every eu-…, nothing else.",
  },
  {
    name: "When nothing inside can serve it",
    text: "The answer is sovereign_route_unavailable, and no connection was made. It is never sent elsewhere.",
  },
  {
    name: "When a supplier fails",
    text: "On 401, 403, 408, 409, 429, 5xx, a time-out or a broken connection the next one is asked at once, three at most, inside the same limits.",
  },
  {
    name: "What you see of it",
    text: "x-gw-supplier, x-gw-region, and x-gw-failover: true after more than one attempt. When all fail, the last supplier’s status and code.",
  },
];

const FOR_PROGRAMS = [
  ["/openapi.json", "OpenAPI 3.1 of everything that is served here, made from the code"],
  ["/error-codes.json", "every error code with its status and what to do"],
  ["/health?ready", "200 when it can take work; for load balancers"],
] as const;

const SURPRISES = [
  {
    name: "/v1/models is a bare array",
    text: "SDKs that expect a list object ask for it: ?object=list. Messages SDKs get their own shape by their version header.",
  },
  {
    name: "An unknown field is not an error",
    text: "It goes to the supplier as you wrote it. A field that changes the price in an unknown way is refused.",
  },
  {
    name: "max_tokens is money",
    text: "It bounds what is held while the request runs. Without it the model’s longest answer is held.",
  },
  {
    name: "Retries are built into SDKs",
    text: "Most repeat 408, 409, 429 and 5xx twice. gw marks what must not be repeated with x-should-retry: false.",
  },
  {
    name: "The region is lower case",
    text: "eu-west and EU-West are the same. A name that nobody knows admits nothing.",
  },
  {
    name: "Streams have no cost header",
    text: "The cost is known at their end: look it up by x-request-id in the audit log.",
  },
];
