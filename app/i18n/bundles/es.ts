import { namespacesOf } from "../namespaces-of";

export default namespacesOf(import.meta.glob("../locales/es/*.ts", { eager: true, import: "default" }));
