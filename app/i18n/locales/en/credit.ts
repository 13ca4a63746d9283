/** Credit of organisations and people. */
export default {
  title: "Credit",
  given: "{{given}} given out of {{ceiling}}",
  text: "The ceiling is the most credit this organisation’s own admins can give out in total, to people and projects. Its own wallet’s credit counts too.",
  own: "People can spend credit they have not paid for yet. Whoever runs this installation sets the ceiling.",
  over: "More is given out than the ceiling allows. Nothing is taken away, but no limit can be raised.",
  ceiling: "Credit ceiling",
  ceilingHint: "US dollars. 0: its admins cannot give credit.",
  limit: "Credit limit of its own wallet",
  limitHint: "How far the organisation’s own wallet may go below zero, in US dollars.",
  button: "Save credit",
  most: "Up to {{amount}} of your organisation’s credit.",
  none: "Your organisation has no credit left to give. You can only lower this limit.",
  ownMost: "Own wallet: up to {{amount}} of your organisation’s credit.",
  ownNone: "Own wallet: your organisation has no credit left to give.",
};
