/**
 * Texts of a rejection for lack of money: the remaining amount, the way to make the request fit, and the person who can
 * raise the limit.
 */
export default {
  left: {
    key: "Quedan {{available, usd}} del presupuesto de esta clave de API, y esta solicitud podría costar hasta {{maxCost, usd}}.",
    user: "Quedan {{available, usd}} del presupuesto del propietario de esta clave, y esta solicitud podría costar hasta {{maxCost, usd}}.",
    department:
      "Quedan {{available, usd}} del presupuesto del departamento, y esta solicitud podría costar hasta {{maxCost, usd}}.",
    project:
      "Quedan {{available, usd}} del presupuesto del proyecto, y esta solicitud podría costar hasta {{maxCost, usd}}.",
    organisation:
      "Quedan {{available, usd}} del presupuesto de la organización, y esta solicitud podría costar hasta {{maxCost, usd}}.",
    wallet: "Quedan {{available, usd}} en el monedero que paga, y esta solicitud podría costar hasta {{maxCost, usd}}.",
  },
  hidden: {
    key: "El presupuesto de esta clave de API no cubre esta solicitud, que podría costar hasta {{maxCost, usd}}.",
    user: "El presupuesto del propietario de esta clave no cubre esta solicitud, que podría costar hasta {{maxCost, usd}}.",
    department: "El presupuesto del departamento no cubre esta solicitud, que podría costar hasta {{maxCost, usd}}.",
    project: "El presupuesto del proyecto no cubre esta solicitud, que podría costar hasta {{maxCost, usd}}.",
    organisation:
      "El presupuesto de la organización no cubre esta solicitud, que podría costar hasta {{maxCost, usd}}.",
    wallet:
      "{{payer}} paga esta clave, y su monedero no cubre esta solicitud, que podría costar hasta {{maxCost, usd}}.",
  },
  held: "Las solicitudes en curso retienen {{held, usd}}.",
  fits: "Fije {{field}} en {{tokens}} o menos.",
  inputTooLong: "Solo la entrada ya cuesta más: acórtela.",
  raise: "Para enviarla tal cual, suba el presupuesto.",
  askToRaise: "Para enviarla tal cual, pida a un administrador que suba el presupuesto.",
  fund: "Para enviarla tal cual, añada fondos: {{link}}",
  askToFund: "Para enviarla tal cual, pida a {{payer}} que añada fondos: {{link}}",
  fundHere: "Para enviarla tal cual, añada fondos.",
  askToFundHere: "Para enviarla tal cual, pida a {{payer}} que añada fondos.",
};
