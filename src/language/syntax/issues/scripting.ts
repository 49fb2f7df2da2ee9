import { defineIssues } from '../../../base/issue.ts'

/**
 * Error definitions for code that needs a catalog while no catalog is compiled (`puppet script`). Puppet:
 * pops/issues.rb.
 */
export const scriptingIssues = defineIssues({
  CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING: {
    text: (a: { operation: string }) =>
      `The catalog operation '${a.operation}' is only available when compiling a catalog`,
  },
})
