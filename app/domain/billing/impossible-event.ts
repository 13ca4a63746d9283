/** Something that an event says cannot be true: no repetition helps, and somebody has to look at it. */
export class ImpossibleEvent extends Error {}
