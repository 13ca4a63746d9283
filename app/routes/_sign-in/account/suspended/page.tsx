import type { PageHandle } from "~/ui/page-handle";
import { ClosedAccount } from "../../flow/ClosedAccount";
import { closedView } from "../../flow/closed-view.server";
import type { Route } from "./+types/page";

export const handle: PageHandle = { hydrate: false };

export const loader = (args: Route.LoaderArgs) => closedView(args);

export default function Suspended({ loaderData }: Route.ComponentProps) {
  return <ClosedAccount kind="suspended" {...loaderData} />;
}
