import { namespacesOf } from "../namespaces-of";

export default namespacesOf(import.meta.glob("../locales/de/*.ts", { eager: true, import: "default" }));
