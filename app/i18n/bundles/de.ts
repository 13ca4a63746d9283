import { byNamespace, type Words } from "../words";

export default byNamespace(import.meta.glob<Words[string]>("../locales/de/*.ts", { eager: true, import: "default" }));
