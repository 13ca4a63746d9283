import { z } from "zod";
import { issue } from "~/errors/message";

const whole = (least: number, most: number) =>
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
    .pipe(z.number().min(least, issue("problems:wholeNumber")).max(most, issue("problems:wholeNumber")));

/** The order of attempts of a route, with the bounds of the catalogue file. */
export const OrderForm = z.strictObject({ priority: whole(0, 1_000), weight: whole(0, 1_000_000) });
