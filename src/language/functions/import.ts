import { throwIssue } from '../../base/issue.ts'
import type { CallContext } from '../host.ts'
import { defineFunction } from './definition/define-function.ts'
import { functionIssues } from './definition/issues.ts'

/** `import`: always fails; the message is Puppet's advice. */
export const importFunction = defineFunction('import', 'Discontinued: use a manifest directory.', {
  'Any *$args': (_: unknown, { span }: CallContext) => throwIssue(functionIssues.DISCONTINUED_IMPORT, {}, span),
})
