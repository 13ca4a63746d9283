/** Returns the text of a page or of a part of it, with single spaces. Leaves out the rows' "Details" for phones. */
export const pageText = (html: string): string =>
  html.replace(/<details class="row-more">.*?<\/details>|<[^>]+>/g, " ").replace(/\s+/g, " ");
