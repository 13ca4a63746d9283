/** Where a secret of a credential is kept: what `seal` binds it to. */
export const associatedData = (
  { supplierId, name }: { supplierId: number; name: string },
  field: "token" | "refresh_token",
): string => `supplier_credential/${supplierId}/${name}/${field}`;
