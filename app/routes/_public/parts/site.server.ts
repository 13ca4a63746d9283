import { config } from "~/config.server";

/** Data of this installation for all public pages. */
export const readSite = () => ({ baseUrl: config().baseUrl });
