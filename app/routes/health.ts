import { health } from "~/http/health";

export const loader = health;
export const action = health;
