import { namespacesOf } from "../namespaces-of";

export default namespacesOf(import.meta.glob("../locales/fr/*.ts", { eager: true, import: "default" }));
