/** The associated data that binds a sealed secret to its credential and field. */
export const associatedData = (
  { supplierId, name }: { supplierId: number; name: string },
  field: "token" | "refresh_token",
): string => `supplier_credential/${supplierId}/${name}/${field}`;
