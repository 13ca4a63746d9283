import { useTranslation } from "react-i18next";
import { Button } from "~/ui/Button";
import { FormActions, FormStack } from "~/ui/form-parts";
import { Section } from "~/ui/page-parts";
import { TextField } from "~/ui/TextField";

/** A new password, or a first one for somebody who signs in through a provider. */
export function Password({
  hasPassword,
  problems,
}: {
  hasPassword: boolean;
  problems: Readonly<Record<string, string>>;
}) {
  const { t } = useTranslation("settings");
  return (
    <Section title={t("password.title")}>
      <form method="post" className="grid gap-4">
        <input type="hidden" name="intent" value="password" />
        <FormStack>
          {hasPassword ? (
            <TextField
              name="current_password"
              type="password"
              label={t("password.current")}
              problem={problems.current_password}
              autoComplete="current-password"
              required
            />
          ) : (
            <p className="text-ink-2">{t("password.none")}</p>
          )}
          <TextField
            name="new_password"
            type="password"
            label={t("password.fresh")}
            hint={t("password.freshHint")}
            problem={problems.new_password}
            autoComplete="new-password"
            required
          />
          <TextField
            name="repeat_password"
            type="password"
            label={t("password.repeat")}
            problem={problems.repeat_password}
            autoComplete="new-password"
            required
          />
        </FormStack>
        <FormActions>
          <Button>{t(hasPassword ? "password.submit" : "password.set")}</Button>
        </FormActions>
      </form>
    </Section>
  );
}
