// What the checker of types does not see: what is never used, never reached, or only looks like a comparison.
// Run from the top of the checkout: see `make check-js`.

import js from "@eslint/js";
import globals from "globals";

const FORBIDDEN = [
  { selector: "ImportExpression", message: "The policy of the page allows no request: import at the top." },
  {
    selector: "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]",
    message: "Text of a document reaches the page through textContent alone.",
  },
  {
    selector: "CallExpression[callee.property.name='insertAdjacentHTML']",
    message: "Text of a document reaches the page through textContent alone.",
  },
];

export default [
  { ignores: ["**/bundle/**"] },
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "array-callback-return": "error",
      curly: ["error", "multi-line"],
      "default-param-last": "error",
      eqeqeq: "error",
      "no-implicit-globals": "error",
      "no-self-compare": "off", // value === value is false for NaN alone, and quicker than a call in inner loops
      "no-shadow": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "prefer-template": "error",
      "no-restricted-syntax": ["error", ...FORBIDDEN],
    },
  },
  { files: ["{app,colde}/**/*.js"], languageOptions: { globals: globals.browser } },
  {
    files: ["colde/report/linked_view/**/*.js"],
    ignores: ["**/labels.js", "**/cell_descriptions.js"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...FORBIDDEN,
        { selector: "Literal[value=/^ ?[A-Z][a-z]+ [a-z]/]", message: "Texts that readers see stand in labels.js." },
      ],
    },
  },
  {
    files: ["tests/js/**/*.{js,mjs}"],
    languageOptions: { globals: globals.node },
    rules: { "no-restricted-syntax": "off" },
  },
];
