/** Whether a client requests JSON, by its Accept header or by sending JSON. Browsers' forms and links do neither. */
export function wantsJson({ headers }: Request): boolean {
  const types = `${headers.get("accept") ?? ""},${headers.get("content-type") ?? ""}`;
  return types.includes("application/json");
}
