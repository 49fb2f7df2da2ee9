import { defineIssues } from '../../../base/issue.ts'

/** Maximum number of characters of the payload that an error message repeats. */
const longest = 4000

function truncateText(text: string): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** Reasons for rejecting a command during processing, in PuppetDB's words if PuppetDB has such an error. */
export const storeCommandIssues = defineIssues({
  COMMAND_JSON: {
    text: () => 'Error parsing command',
    hint: (a: { detail: string }) => `The payload is not JSON: ${a.detail}`,
  },
  COMMAND_VERSION: {
    text: (a: { command: string; version: number }) => `Unsupported command ${a.command} version ${a.version}`,
  },
  COMMAND_SHAPE: { text: (a: { misfit: string }) => `Value does not match schema: ${truncateText(a.misfit)}` },
  COMMAND_FACTS_SHAPE: {
    text: (a: { misfit: string }) => `Output of normalize-facts does not match schema: ${truncateText(a.misfit)}`,
  },
  COMMAND_ASSERTION: {
    text: (a: { rule: string; why: string }) => `Assert failed: ${a.rule}`,
    hint: (a) => a.why,
  },
  COMMAND_UUID: { text: (a: { uuid: string }) => `invalid input syntax for type uuid: "${truncateText(a.uuid)}"` },
  COMMAND_TIME: {
    text: (a: { field: string; time: string }) =>
      `${a.field} is not a time in the years 0 to 9999: ${truncateText(a.time)}`,
  },
  COMMAND_FIELD: {
    text: (a: { what: string; field: string; expected: string; given: string }) =>
      `${truncateText(a.what)}: ${a.field} must be ${a.expected}, not ${truncateText(a.given)}`,
  },
  CATALOG_VERSION: { text: (a: { version: number }) => `Unknown catalog version '${a.version}'` },
  CATALOG_KIND: {
    text: (a: { className: string }) => `Catalog must be specified as a string or a map, not '${a.className}'`,
  },
  CATALOG_TAG: {
    text: (a: { resource: string; tag: string }) =>
      `Resource '${truncateText(a.resource)}' has an invalid tag '${truncateText(a.tag)}'. Tags must match the pattern ` +
      '/[[\\p{L}&&[^\\p{Lu}]]\\p{N}_][[\\p{L}&&[^\\p{Lu}]]\\p{N}_:.-]*/.',
  },
  CATALOG_EDGE: {
    text: (a: { edge: string; resource: string }) =>
      `Edge '${truncateText(a.edge)}' refers to resource '${truncateText(a.resource)}', which doesnt exist in the catalog.`,
  },
  CATALOG_RELATIONSHIP: {
    text: (a: { edge: string; relationship: string }) =>
      `Edge '${truncateText(a.edge)}' has invalid relationship type '${truncateText(a.relationship)}'`,
  },
  CATALOG_UTF8: { text: () => 'Catalog is not UTF-8' },
  CATALOG_NULL: { text: (a: { where: string }) => `Catalog has null at ${truncateText(a.where)}` },
  CATALOG_UNEXPECTED_KEYS: {
    text: (a: { what: string; keys: readonly string[] }) =>
      `${truncateText(a.what)} has unexpected keys: ${truncateText(a.keys.join(', '))}`,
  },
  CATALOG_MISSING_KEYS: {
    text: (a: { what: string; keys: readonly string[] }) =>
      `${truncateText(a.what)} is missing keys: ${truncateText(a.keys.join(', '))}`,
  },
  CATALOG_DUPLICATE: {
    text: (a: { resource: string }) => `Resource '${truncateText(a.resource)}' occurs twice in the catalog`,
  },
})
