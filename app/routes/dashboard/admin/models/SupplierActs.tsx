import { useTranslation } from "react-i18next";
import { type AdminSupplier, PORTAL_KINDS } from "~/domain/catalogue/shared";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { DialogButton } from "~/ui/Dialog";
import { SelectField, TextField } from "~/ui/fields";
import { NEW_SUPPLIER } from "./shared";

const addressOf = ({ id }: AdminSupplier, act: "update" | "delete") => `${NEW_SUPPLIER}/${id}/${act}`;

/** What can be done with a supplier: one of the configuration can be drained, the others changed and deleted, too. */
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

export function SupplierDialogs({ supplier }: { supplier: AdminSupplier }) {
  const { t } = useTranslation("adminModels");
  const { id, name, kind, baseUrl, region, source, status, credentials } = supplier;
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
          <ConfirmDialog
            id={`update-${id}`}
            title={t("ask.update", { name })}
            action={addressOf(supplier, "update")}
            confirm={t("act.save")}
            danger={false}
          >
            <SelectField
              id={`kind-${id}`}
              name="kind"
              label={t("col.kind")}
              defaultValue={kind}
              options={PORTAL_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
            />
            <TextField
              id={`base-${id}`}
              name="base_url"
              label={t("form.baseUrl")}
              hint={t("form.baseUrlHint")}
              type="url"
              defaultValue={baseUrl}
              required
            />
            <TextField id={`region-${id}`} name="region" label={t("col.region")} defaultValue={region} required />
            <TextField
              id={`key-${id}`}
              name="api_key"
              label={t("form.apiKey")}
              hint={t(credentials > 0 ? "form.keepKey" : "form.apiKeyHint")}
              type="password"
              autoComplete="off"
            />
          </ConfirmDialog>
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
