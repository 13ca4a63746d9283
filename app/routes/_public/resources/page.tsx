import { PublicPage } from "~/ui/PublicPage";
import type { PageHandle } from "~/ui/page-handle";
import { Band } from "../parts/Band";
import { describePage } from "../parts/describe-page";
import { PageIntro } from "../parts/PageIntro";
import { readSite } from "../parts/site.server";
import { DOCUMENTS } from "./documents";

export const handle: PageHandle = { plain: true };

export const meta = describePage({
  title: "Resources",
  description: "Guides, references, machine-readable descriptions and the documents that come with the source.",
  path: "/resources",
});

export const loader = readSite;

export default function Resources() {
  return (
    <PublicPage lang="en">
      <PageIntro
        title="Everything there is to read"
        lead="On these pages, for programs, and in the source that each installation is made from."
      />
      {GROUPS.map(({ title, text, entries }) => (
        <Band key={title} title={title} text={<p>{text}</p>}>
          <ul className="panel divide-y divide-line">
            {entries.map(([path, name, about]) => (
              <li key={path}>
                <a href={path} className="group grid gap-x-8 px-5 py-3.5 sm:grid-cols-label">
                  <span className="font-strong group-hover:text-accent">{name}</span>
                  <span className="text-ink-2">{about}</span>
                </a>
              </li>
            ))}
          </ul>
        </Band>
      ))}
      <Band
        title="In the source"
        text={<p>Plain Markdown in the folder docs of the repository, for those who run it.</p>}
      >
        <ul className="panel divide-y divide-line">
          {DOCUMENTS.map(([file, about]) => (
            <li key={file} className="grid gap-x-8 px-5 py-3.5 sm:grid-cols-label">
              <span className="mono break-words text-ui">{file}</span>
              <span className="text-ink-2">{about}</span>
            </li>
          ))}
        </ul>
      </Band>
    </PublicPage>
  );
}

const GROUPS = [
  {
    title: "Guides",
    text: "In the order in which most people need them.",
    entries: [
      ["/guide", "Guide", "From nothing to production, with examples for each SDK"],
      ["/developers", "Developers", "Client libraries, their settings, and what surprises people"],
      ["/agents", "Coding agents", "Settings for agents of each family"],
    ],
  },
  {
    title: "References",
    text: "Made from the code, so that they say what is served.",
    entries: [
      ["/api-docs", "API reference", "Every operation: parameters, bodies, answers, examples"],
      ["/api-docs/errors", "Error codes", "What each code means and what to do, with a search"],
      ["/models-public", "Models", "Capabilities, regions, suppliers and prices of this installation"],
      ["/openapi.json", "openapi.json", "The API reference for programs"],
      ["/error-codes.json", "error-codes.json", "The error codes for programs"],
    ],
  },
  {
    title: "Background",
    text: "How it works and why it can be trusted.",
    entries: [
      ["/architecture", "Architecture", "The way of a request and of its money"],
      ["/security", "Security", "What is protected, and how"],
      ["/controls", "Controls", "Each rule with the test that holds it"],
      ["/certifications", "Certifications", "Which evidence there is, and which there is not"],
    ],
  },
] as const;
