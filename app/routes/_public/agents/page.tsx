import type { PageHandle } from "~/ui/page-handle";
import { exampleParts } from "../guide/models-to-try";
import { readModelsToTry } from "../guide/read-models-to-try.server";
import { ContentBands } from "../parts/ContentBands";
import { contentHead } from "../parts/ContentFrame";
import { readContentPage } from "../parts/content-page.server";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export const meta = contentHead("/agents");

export const loader = ({ context }: Route.LoaderArgs) => ({
  ...readContentPage("agents", context),
  models: readModelsToTry(),
});

export default function Agents({ loaderData: { baseUrl, content, models } }: Route.ComponentProps) {
  return <ContentBands content={content} parts={exampleParts(baseUrl, models)} />;
}
