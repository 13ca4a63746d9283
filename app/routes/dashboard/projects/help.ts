import { helpEndpoint } from "~/routes/dashboard/help.server";

const help = helpEndpoint("projects", "/dashboard/admin/projects");

export const loader = help;
export const action = help;
