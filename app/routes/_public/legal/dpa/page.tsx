import type { PageHandle } from "~/ui/page-handle";
import { LegalPage, legalHead } from "../LegalPage";
import { readLegal } from "../read-legal.server";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };
export const meta: Route.MetaFunction = ({ loaderData }) => legalHead(loaderData);
export const loader = ({ request }: Route.LoaderArgs) => readLegal(request, "dpa");

export default function Page({ loaderData }: Route.ComponentProps) {
  return <LegalPage {...loaderData} />;
}
