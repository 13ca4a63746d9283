/** What requests to a supplier carry besides, for platform admins. */
export default {
  column: "Headers",
  some: "Set",
  none: "None",
  title: "Headers and parameters of {{name}}",
  text: "Every request to this supplier carries these, whatever its client sends. Values are stored encrypted and never shown again; to replace one, set it again.",
  ofFile: "The catalogue file defines what every request to this supplier carries. Change it there.",
  lost: "These can’t be decrypted with GW_SECRET any more, so the supplier isn’t called. Set them again.",
  place: "Sent as",
  value: "Value",
  hidden: "Stored encrypted",
  theKey: "The API key",
  nothing: "Nothing extra is sent",
  nothingText:
    "Some suppliers ask for a header or a query parameter besides the key, such as a team or an API version.",
  add: "Set a header or parameter",
  nameHint: "Such as x-team. Host, Content-Type and other headers that gw sets can’t be used.",
  valueHint: "Not needed for the header of the API key.",
  remove: "Remove",
  saved: "Saved. Requests carry it from now on.",
  removed: "Removed",
  in: { header: "Header", query: "Query parameter", key_header: "Header of the API key" },
};
