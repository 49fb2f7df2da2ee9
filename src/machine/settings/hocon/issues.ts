import { defineIssues } from '../../../base/issue.ts'

/** Errors in HOCON texts. */
export const hoconIssues = defineIssues({
  HOCON_SYNTAX: {
    text: (a: { found: string; expected: string }) => `Expected ${a.expected} but found ${a.found}`,
  },
  HOCON_UNSUPPORTED: { text: (a: { what: string }) => `${a.what} is not supported here` },
  HOCON_UNRESOLVED: {
    text: (a: { path: string }) => `Could not resolve substitution to a value: \${${a.path}}`,
    hint: (a) => `Write \${?${a.path}} if it may be missing.`,
  },
  HOCON_MIXED: { text: (a: { what: string; with: string }) => `Cannot join ${a.what} with ${a.with}` },
  HOCON_APPEND_IN_ARRAY: {
    text: () => 'Due to current limitations of the config parser, += does not work nested inside a list',
    hint: () => 'Write the whole array after = instead.',
  },
  HOCON_TOO_DEEP: { text: () => 'Objects and arrays are nested too deeply' },
  HOCON_TOO_MUCH: {
    text: () => 'Substitutions expand to too many values',
    hint: () => 'Define each value once, and refer to it by name.',
  },
})
