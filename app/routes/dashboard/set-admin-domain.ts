import { adminOrganisationEndpoint } from "./admin/admin-organisation.server";

const choose = adminOrganisationEndpoint();

export const loader = choose;
export const action = choose;
