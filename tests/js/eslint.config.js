// What the checker of types does not see: what is never used, never reached, or only looks like a comparison.
// Run from the top of the checkout: see `make check-js`.

import js from "@eslint/js";
import globals from "globals";

export default [
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
      "no-restricted-syntax": [
        "error",
        { selector: "ExportAllDeclaration, ExportNamedDeclaration[source]", message: "The modules are joined: export where a thing is made." },
        { selector: "ExportNamedDeclaration[specifiers.length>0]", message: "The modules are joined: write `export` before the thing itself." },
        { selector: "ImportDefaultSpecifier, ImportNamespaceSpecifier, ImportExpression", message: "The modules are joined: import by name, at the top." },
        { selector: "AssignmentExpression[left.property.name=/^(inner|outer)HTML$/]", message: "Text of a document reaches the page through textContent alone." },
        { selector: "CallExpression[callee.property.name='insertAdjacentHTML']", message: "Text of a document reaches the page through textContent alone." },
      ],
    },
  },
  { files: ["colde/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/js/**/*.js"], languageOptions: { globals: globals.node }, rules: { "no-restricted-syntax": "off" } },
];
