/** The payer, and the reason. */
export default {
  reason: {
    project: "The project has its own wallet, which pays for its keys.",
    exempt: "Exempt from billing: usage is counted, and nobody is charged.",
    sandbox: "Not charged: the sandbox is free.",
    own: "Set to pay from their own wallet.",
    delegated: "A colleague has agreed to pay.",
    billingUser: "The organisation’s billing user pays for all members.",
    organisation: "The organisation has no billing user, so its own wallet pays.",
  },
  delegated: {
    title: "Paying for a colleague",
    about:
      "A colleague can pay for what you use, or you for what they use, once both of you agree. Either of you can end it at any time; requests that are already running stay with the wallet they began with.",
    email: "Colleague’s email address",
    hint: "To pay for others, you need your own wallet.",
    request: "Ask them to pay for me",
    offer: "Offer to pay for them",
    accept: "Accept",
    acceptAndPay: "Accept and pay",
    decline: "Decline",
    stop: "Stop",
    cancel: "Cancel request",
    pays: {
      inForce: "You pay for {{name}}: what they use is charged to your wallet, including its credit.",
      asked: "You’ve offered to pay for {{name}}. They haven’t answered yet.",
      question:
        "{{name}} asks you to pay for what they use. If you accept, it is charged to your wallet, including its credit, and you can see what their requests cost.",
    },
    paid: {
      inForce: "{{name}} pays for what you use, and can see what your requests cost.",
      asked: "You’ve asked {{name}} to pay for you. They haven’t answered yet.",
      question: "{{name}} offers to pay for what you use. If you accept, they can see what your requests cost.",
    },
    done: {
      asked: "Sent. Nothing changes until your colleague accepts.",
      accepted: "Accepted. It applies from the next request.",
      ended: "Ended.",
    },
  },
};
