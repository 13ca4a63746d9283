import ts from "typescript";
import { CATALOGUE } from "~/errors/catalogue";
import { filesUnder, type SourceFile } from "./source-tree";

/** Functions that take the error code of an answer as an argument. */
const ANSWERS_WITH = new Set(["apiError", "AppError", "errorBytes", "super"]);

/** Files that describe codes without answering with them. */
const DESCRIPTIONS = /^app\/(errors|openapi|i18n|content|ui)\/|__fixtures__|\.test\.tsx?$/;

/**
 * Returns the files that answer with a code of the catalogue, by code. A use is an argument of `apiError` and similar
 * functions, a returned or named code in a file that mentions `ErrorCode`, or the `code` of a verdict or a failure.
 * Comparisons, keys, types and lists do not count.
 */
export function thrownCodes(): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const file of filesUnder("app", /\.tsx?$/)) {
    if (DESCRIPTIONS.test(file.path) || !/ErrorCode|apiError|AppError|errorBytes|\bcode:/.test(file.text)) continue;
    for (const code of codesIn(file)) places.set(code, [...(places.get(code) ?? []), file.path]);
  }
  return places;
}

/** Returns the codes with which a file answers. */
export function codesIn({ path, text }: SourceFile): string[] {
  const codes: string[] = [];
  const speaksOfCodes = /\bErrorCode\b|\berrorBytes\b/.test(text);
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && CATALOGUE.has(node.text) && isAnswer(node, speaksOfCodes)) codes.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return codes;
}

function isAnswer(literal: ts.StringLiteral, speaksOfCodes: boolean): boolean {
  const [value, parent] = wholeValue(literal);
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return ANSWERS_WITH.has(parent.expression.getText());
  if (ts.isPropertyAssignment(parent))
    return parent.initializer === value && /^(code|asErrorCode)$/.test(parent.name.getText());
  return (
    speaksOfCodes && (ts.isReturnStatement(parent) || ts.isArrowFunction(parent) || ts.isVariableDeclaration(parent))
  );
}

// Returns the largest expression that can have the literal as its value, and the parent of this expression.
function wholeValue(literal: ts.Node): [ts.Node, ts.Node] {
  let value = literal;
  while (passesOn(value.parent, value)) value = value.parent;
  return [value, value.parent];
}

function passesOn(outer: ts.Node, inner: ts.Node): boolean {
  if (ts.isConditionalExpression(outer)) return outer.condition !== inner;
  if (ts.isBinaryExpression(outer)) return outer.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
  return ts.isAsExpression(outer) || ts.isParenthesizedExpression(outer) || ts.isSatisfiesExpression(outer);
}
