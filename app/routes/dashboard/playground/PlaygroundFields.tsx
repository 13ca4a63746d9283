import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "~/ui/Button";
import { SelectField, TextArea, TextField } from "~/ui/forms/fields";
import { FormActions } from "~/ui/forms/form-parts";
import { FormSummary } from "~/ui/forms/PortalForm";
import type { PortalFormState } from "~/ui/forms/portal-form";
import { readForm } from "../keys/form-values";
import type { Turn } from "./stored-prompt";
import type { Fields } from "./use-answers";

/** In bytes. As base64 with the other fields it fits into the form limit of 1 MiB. */
const MAX_IMAGE_BYTES = 700_000;

type Name =
  | "key_id"
  | "model"
  | "model_2"
  | "model_3"
  | "system"
  | "message"
  | "tool"
  | "max_tokens"
  | "temperature"
  | "history"
  | "image";

type Props = {
  form: PortalFormState<Name>;
  keys: readonly { id: number; name: string }[];
  models: readonly string[];
  running: boolean;
  send: (event: FormEvent<HTMLFormElement>) => void;
  stop: () => void;
  /** The turns of a stored request, which are sent before the first message. */
  earlier: readonly Turn[];
  /** Null: there is no conversation. */
  clear: (() => void) | null;
  onInput: (fields: Fields) => void;
  setImage: (image: string) => void;
};

export function PlaygroundFields({
  form,
  keys,
  models,
  running,
  send,
  stop,
  earlier,
  clear,
  onInput,
  setImage,
}: Props) {
  const { t } = useTranslation("playground");
  const options = models.map((id) => ({ value: id, label: id }));
  const others = [{ value: "", label: t("none") }, ...options];
  return (
    <form
      {...form.props}
      // Without script the default encoding would triple the length of some texts, beyond the form limit.
      encType="multipart/form-data"
      onSubmit={send}
      onInput={({ currentTarget }) => onInput(readForm(currentTarget))}
      className="grid gap-4"
    >
      <FormSummary form={form} />
      <SelectField
        {...form.field("key_id")}
        options={keys.map(({ id, name }) => ({ value: String(id), label: name }))}
      />
      <SelectField {...form.field("model")} options={options} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField {...form.field("model_2")} options={others} />
        <SelectField {...form.field("model_3")} options={others} />
      </div>
      <TextArea {...form.field("system")} rows={2} />
      {earlier.length === 0 ? null : (
        <p className="field-hint">
          {t("earlier", { count: earlier.length })}
          <input type="hidden" name="history" value={JSON.stringify(earlier)} />
        </p>
      )}
      <TextArea {...form.field("message")} rows={5} required />
      <details className="grid gap-4">
        <summary className="cursor-pointer font-strong">{t("more")}</summary>
        <div className="mt-3 grid gap-4">
          <ImageField setImage={setImage} />
          <TextArea {...form.field("tool")} rows={4} hint={t("toolHint")} spellCheck={false} />
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField {...form.field("max_tokens")} inputMode="numeric" />
            <TextField {...form.field("temperature")} inputMode="decimal" hint={t("temperatureHint")} />
          </div>
        </div>
      </details>
      <FormActions>
        <Button kind="primary" disabled={running}>
          {t("send")}
        </Button>
        {running ? (
          <Button type="button" onClick={stop}>
            {t("stop")}
          </Button>
        ) : null}
        {clear === null || running ? null : (
          <Button type="button" onClick={clear}>
            {t("clear")}
          </Button>
        )}
      </FormActions>
      <p className="field-hint">{t("privacy")}</p>
    </form>
  );
}

/** An image is sent only with the next call. The field has no name, so without script no image is sent. */
function ImageField({ setImage }: { setImage: (image: string) => void }) {
  const { t } = useTranslation("playground");
  const [problem, setProblem] = useState<string>();
  const choose = (file: File | undefined) => {
    setImage("");
    const isTooLarge = file !== undefined && file.size > MAX_IMAGE_BYTES;
    setProblem(isTooLarge ? t("problem.imageSize") : undefined);
    if (file === undefined || isTooLarge) return;
    const reader = new FileReader();
    reader.onload = () => setImage(String(reader.result));
    reader.readAsDataURL(file);
  };
  return (
    <TextField
      id="playground-image"
      name=""
      type="file"
      accept="image/png,image/jpeg,image/gif,image/webp"
      label={t("field.image")}
      hint={t("imageHint")}
      problem={problem}
      onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
    />
  );
}
