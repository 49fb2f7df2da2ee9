import { defineIssues } from '../../base/issue.ts'
import { toPrintable } from '../../base/text/printable.ts'

/** Errors of the registry. */
export const registryIssues = defineIssues({
  REGISTRY_DENIED: {
    text: (a: { key: string }) => `access to the registry key '${toPrintable(a.key)}' is denied`,
    hint: () => 'Run as an administrator, or change the permissions of the key.',
  },
  REGISTRY_UNREADABLE: {
    text: (a: { key: string; why: string }) =>
      `the registry key '${toPrintable(a.key)}' cannot be read: ${toPrintable(a.why)}`,
  },
  REGISTRY_UNWRITABLE: {
    text: (a: { key: string; why: string }) =>
      `the registry key '${toPrintable(a.key)}' cannot be changed: ${toPrintable(a.why)}`,
  },
  REGISTRY_NAME_INVALID: {
    text: (a: { name: string }) =>
      `'${toPrintable(a.name)}' is no name for a registry key or value: it contains a control character`,
  },
})
