/**
 * Texts of a rejection for lack of money: the remaining amount, the way to make the request fit, and the person who can
 * raise the limit.
 */
export default {
  left: {
    key: "Vom Budget dieses API-Schlüssels sind noch {{available, usd}} übrig, und diese Anfrage könnte bis zu {{maxCost, usd}} kosten.",
    user: "Vom Budget des Inhabers dieses Schlüssels sind noch {{available, usd}} übrig, und diese Anfrage könnte bis zu {{maxCost, usd}} kosten.",
    department:
      "Vom Budget der Abteilung sind noch {{available, usd}} übrig, und diese Anfrage könnte bis zu {{maxCost, usd}} kosten.",
    project:
      "Vom Budget des Projekts sind noch {{available, usd}} übrig, und diese Anfrage könnte bis zu {{maxCost, usd}} kosten.",
    organisation:
      "Vom Budget der Organisation sind noch {{available, usd}} übrig, und diese Anfrage könnte bis zu {{maxCost, usd}} kosten.",
    wallet:
      "Im zahlenden Guthaben sind noch {{available, usd}} übrig, und diese Anfrage könnte bis zu {{maxCost, usd}} kosten.",
  },
  hidden: {
    key: "Das Budget dieses API-Schlüssels deckt diese Anfrage nicht, die bis zu {{maxCost, usd}} kosten könnte.",
    user: "Das Budget des Inhabers dieses Schlüssels deckt diese Anfrage nicht, die bis zu {{maxCost, usd}} kosten könnte.",
    department: "Das Budget der Abteilung deckt diese Anfrage nicht, die bis zu {{maxCost, usd}} kosten könnte.",
    project: "Das Budget des Projekts deckt diese Anfrage nicht, die bis zu {{maxCost, usd}} kosten könnte.",
    organisation: "Das Budget der Organisation deckt diese Anfrage nicht, die bis zu {{maxCost, usd}} kosten könnte.",
    wallet:
      "Für diesen Schlüssel zahlt {{payer}}; das Guthaben deckt diese Anfrage nicht, die bis zu {{maxCost, usd}} kosten könnte.",
  },
  held: "Laufende Anfragen reservieren {{held, usd}}.",
  fits: "Setzen Sie {{field}} auf höchstens {{tokens}}.",
  inputTooLong: "Schon die Eingabe kostet mehr: Kürzen Sie sie.",
  raise: "Um sie unverändert zu senden, erhöhen Sie das Budget.",
  askToRaise: "Um sie unverändert zu senden, bitten Sie einen Admin, das Budget zu erhöhen.",
  fund: "Um sie unverändert zu senden, laden Sie Guthaben auf: {{link}}",
  askToFund: "Um sie unverändert zu senden, bitten Sie {{payer}}, Guthaben aufzuladen: {{link}}",
  fundHere: "Um sie so zu senden, laden Sie Guthaben auf.",
  askToFundHere: "Um sie so zu senden, bitten Sie {{payer}}, Guthaben aufzuladen.",
};
