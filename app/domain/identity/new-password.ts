import { refusal } from "~/errors/app-error";
import { NewPasswordField } from "./shared";

/**
 * Checks a password that somebody chooses for an account.
 * @throws AppError weak_password, with what is wrong with it.
 */
export function requireStrongPassword(password: string, email?: string): void {
  const read = NewPasswordField.safeParse(password);
  const human = read.success ? undefined : read.error.issues[0]?.message;
  if (!read.success) throw refusal("weak_password", { human, param: "password" });
  if (email && password.toLowerCase().includes(email)) {
    throw refusal("weak_password", { human: "Your password can’t contain your email address.", param: "password" });
  }
}
