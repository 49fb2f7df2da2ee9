import { throwIssue } from '../../base/issue.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { issues } from '../request/issues.ts'

/** Names that node parameters and facts cannot set, because Puppet sets these variables. */
export const ignoredNames: ReadonlySet<string> = new Set(['environment', 'trusted'])

/** Hashes that Puppet sets. */
const reservedNames: ReadonlySet<string> = new Set(['facts', 'server_facts'])

/** Variable with the name of the current module; its value changes from file to file. */
const moduleName = 'module_name'

const isNumber = (name: string) => /^\d+$/.test(name)

/**
 * Checks the name of a node parameter. Throws RESERVED_NODE_PARAMETER, NUMERIC_NODE_PARAMETER,
 * MODULE_NAME_AS_PARAMETER.
 */
export function checkParameterName(name: string): void {
  if (reservedNames.has(name)) throwIssue(issues.RESERVED_NODE_PARAMETER, { name })
  if (isNumber(name)) throwIssue(issues.NUMERIC_NODE_PARAMETER, { name })
  if (name === moduleName) throwIssue(issues.MODULE_NAME_AS_PARAMETER, {})
}

/** Returns the node parameters that need special treatment: they hide facts, or are ignored or rejected. */
export function listSpecialParameters({ node, facts, serverFacts }: CompileRequest): readonly string[] {
  const isRejectedName = (name: string) => reservedNames.has(name) || isNumber(name) || name === moduleName
  const hidesFact = (name: string) => Object.hasOwn(facts, name) || Object.hasOwn(serverFacts, name)
  return Object.keys(node.parameters).filter(
    (name) => ignoredNames.has(name) || isRejectedName(name) || hidesFact(name),
  )
}
