import { namespacesOf } from "../namespaces-of";

export default namespacesOf(import.meta.glob("../locales/en/*.ts", { eager: true, import: "default" }));
