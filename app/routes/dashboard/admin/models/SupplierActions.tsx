import { useTranslation } from "react-i18next";
import { type AdminSupplier, PORTAL_KINDS } from "~/domain/catalogue/shared";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Dialog, DialogButton } from "~/ui/Dialog";
import { SelectField, TextField } from "~/ui/forms/fields";
import { PortalForm } from "~/ui/forms/PortalForm";
import { type FormValues, type RefusedValues, usePortalForm } from "~/ui/forms/portal-form";
import { Section } from "~/ui/page-parts";
import { NEW_SUPPLIER } from "./shared";
import { SupplierChangeForm } from "./supplier-form.schema";

type Props = { supplier: AdminSupplier; refused: RefusedValues | null };

const addressOf = ({ id }: AdminSupplier, act: "update" | "delete") => `${NEW_SUPPLIER}/${id}/${act}`;

/**
 * Actions for a supplier. A supplier of the configuration can only be drained; others can also be changed and deleted.
 */
export function SupplierButtons({ supplier: { id, kind, source, status } }: { supplier: AdminSupplier }) {
  const { t } = useTranslation("adminModels");
  return (
    <span className="ml-auto flex max-w-64 flex-wrap justify-end gap-2 sm:min-w-52">
      {kind === "sandbox" || kind === "native_agent" ? null : (
        <form method="post" action={`${NEW_SUPPLIER}/${id}/models`}>
          <input type="hidden" name="act" value="test" />
          <Button small>{t("act.test")}</Button>
        </form>
      )}
      <DialogButton dialog={`drain-${id}`} small>
        {t(status === "draining" ? "act.resume" : "act.drain")}
      </DialogButton>
      {source === "portal" ? (
        <>
          <DialogButton dialog={`update-${id}`} small>
            {t("act.update")}
          </DialogButton>
          <DialogButton dialog={`delete-${id}`} small>
            {t("act.delete")}
          </DialogButton>
        </>
      ) : null}
    </span>
  );
}

/** Confirmation dialogs of a supplier. `refused`: a rejected form. */
export function SupplierDialogs({ supplier, refused }: Props) {
  const { t } = useTranslation("adminModels");
  const { id, name, source, status } = supplier;
  const isDraining = status === "draining";
  const act = isDraining ? "resume" : "drain";
  return (
    <>
      <ConfirmDialog
        id={`drain-${id}`}
        title={t(`ask.${act}`, { name })}
        action={addressOf(supplier, "update")}
        consequences={t(`ask.${act}Text`)}
        confirm={t(`act.${act}`)}
        danger={false}
        values={{ draining: isDraining ? "false" : "true" }}
      />
      {source === "portal" ? (
        <>
          <UpdateSupplier supplier={supplier} refused={refused} />
          <ConfirmDialog
            id={`delete-${id}`}
            title={t("ask.delete", { name })}
            action={addressOf(supplier, "delete")}
            consequences={t("ask.deleteText")}
            typed={name}
            confirm={t("act.delete")}
          />
        </>
      ) : null}
    </>
  );
}

/** The form of a supplier. If it was rejected or restored, it is on the page instead of in a dialog. */
function UpdateSupplier({ supplier, refused }: Props) {
  const { t } = useTranslation("adminModels");
  const { id, name, kind, baseUrl, region, credentials } = supplier;
  const now: FormValues = { kind, base_url: baseUrl, region };
  const form = usePortalForm({
    id: `supplier-${id}`,
    action: addressOf(supplier, "update"),
    schema: SupplierChangeForm,
    labels: {
      kind: t("col.kind"),
      base_url: t("form.baseUrl"),
      region: t("col.region"),
      api_key: t("form.apiKey"),
    },
    values: now,
    refused,
  });
  // The form that drains a supplier is sent to the same path and has none of these fields, so fields fall back to
  // current values.
  const field = (name: "kind" | "base_url" | "region") => ({
    ...form.field(name),
    defaultValue: form.values[name] ?? now[name],
  });
  const fields = (
    <PortalForm form={form} className="grid gap-4">
      <SelectField {...field("kind")} options={PORTAL_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))} />
      <TextField {...field("base_url")} hint={t("form.baseUrlHint")} type="url" required />
      <TextField {...field("region")} required />
      <TextField
        {...form.field("api_key")}
        hint={t(credentials > 0 ? "form.keepKey" : "form.apiKeyHint")}
        type="password"
        autoComplete="off"
      />
      <div className="flex justify-end">
        <Button kind="primary">{t("act.save")}</Button>
      </div>
    </PortalForm>
  );
  const title = t("ask.update", { name });
  if (form.returned && form.values.base_url !== undefined) return <Section title={title}>{fields}</Section>;
  return (
    <Dialog id={`update-${id}`} title={title}>
      {fields}
    </Dialog>
  );
}
