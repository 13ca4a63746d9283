import { config } from "~/config.server";

/** What every public page needs to know of this installation. */
export const readSite = () => ({ baseUrl: config().baseUrl });
