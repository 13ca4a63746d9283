import { z } from "zod";
import { issue } from "~/errors/message";

const integer = (minimum: number, maximum: number) =>
  z
    .union(
      [
        z.int(),
        z
          .string()
          .trim()
          .regex(/^\d{1,7}$/)
          .transform(Number),
      ],
      issue("problems:wholeNumber"),
    )
    .pipe(z.number().min(minimum, issue("problems:wholeNumber")).max(maximum, issue("problems:wholeNumber")));

/** The order of attempts of a route, with the bounds of the catalogue file. */
export const OrderForm = z.strictObject({ priority: integer(0, 1_000), weight: integer(0, 1_000_000) });
