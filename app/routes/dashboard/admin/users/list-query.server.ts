import { z } from "zod";
import { PEOPLE_SORTS, type PeopleFilter, type PeopleSort } from "~/domain/people/shared";
import { isPlace, NO_SUCH_PLACE, PlaceField, sortOf } from "~/http/body/list-order";
import { SelectedInAddress } from "../../bulk-form";
import { PEOPLE_FILTERS } from "./filters";

export const PAGE_SIZE = 50;

const NEWEST = "-created";
const orderOf = (sort: string | undefined): PeopleSort => sortOf(sort ?? NEWEST);

/** The query of the list of people: filters, order and position. `ids`: the selected people of a file. */
export const PeopleQuery = z
  .object({ ...PEOPLE_FILTERS.query, ids: SelectedInAddress, after: PlaceField })
  .refine(({ sort, after }) => isPlace(after, PEOPLE_SORTS[orderOf(sort).by]), NO_SUCH_PLACE)
  .transform(({ org, department, spent, sort, after, ...same }) => {
    const filter: PeopleFilter = { ...same, organisationId: org, departmentId: department, spentNanoUsd: spent };
    return { filter, sort: orderOf(sort), sorted: sort ?? NEWEST, after: after ?? null };
  });
