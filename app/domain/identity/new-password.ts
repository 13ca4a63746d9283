import { refusal } from "~/errors/app-error";
import { NewPasswordField } from "./shared";
import { isWeakPassword } from "./weak-password";

/**
 * Checks a password that somebody chooses for an account; `param` is the field that it comes from.
 * @throws AppError weak_password, with what is wrong with it.
 */
export function requireStrongPassword(password: string, email?: string, param = "password"): void {
  const read = NewPasswordField.safeParse(password);
  const human = read.success ? undefined : read.error.issues[0]?.message;
  if (!read.success) throw refusal("weak_password", { human, param });
  if (email && password.toLowerCase().includes(email)) {
    throw refusal("weak_password", { human: "Your password can’t contain your email address.", param });
  }
  if (isWeakPassword(password)) {
    throw refusal("weak_password", {
      human: "This password is too common. Use several unrelated words.",
      param,
    });
  }
}
