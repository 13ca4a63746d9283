/** Credit of organisations and people. */
export default {
  title: "Credit",
  given: "{{given}} of {{ceiling}} given out",
  text: "The most credit the organisation’s admins can give to people and projects in total. The organisation wallet’s credit counts too.",
  own: "Credit lets people spend before they pay. The platform operator sets the ceiling.",
  over: "More credit is given out than the ceiling allows. Existing limits stay, but none can be raised.",
  ceiling: "Credit ceiling",
  ceilingHint: "In US dollars. With 0, its admins can’t give credit.",
  limit: "Organisation credit limit",
  limitHint: "How far the organisation wallet can go below zero, in US dollars.",
  button: "Save credit",
  most: "Up to {{amount}} of your organisation’s credit.",
  none: "Your organisation has no credit left to give. You can only lower this limit.",
};
