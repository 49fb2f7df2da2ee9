import { fail } from '../../base/issue.ts'
import type { CompileRequest } from '../request/compile-request.ts'
import { issues } from '../request/issues.ts'

/** Names that a node's parameters and facts say in vain: these have values of their own. */
export const ignoredNames: ReadonlySet<string> = new Set(['environment', 'trusted'])

/** Names of hashes that Puppet sets itself. */
const reservedNames: ReadonlySet<string> = new Set(['facts', 'server_facts'])

/** The name of the module that code is of, which changes from file to file. */
const moduleName = 'module_name'

const isNumber = (name: string) => /^\d+$/.test(name)

/** Throws RESERVED_NODE_PARAMETER, NUMERIC_NODE_PARAMETER, MODULE_NAME_AS_PARAMETER. */
export function checkParameterName(name: string): void {
  if (reservedNames.has(name)) fail(issues.RESERVED_NODE_PARAMETER, { name })
  if (isNumber(name)) fail(issues.NUMERIC_NODE_PARAMETER, { name })
  if (name === moduleName) fail(issues.MODULE_NAME_AS_PARAMETER, {})
}

/** The node's parameters that do more than to be variables: they hide facts, or are ignored or refused. */
export function specialParameters({ node, facts, serverFacts }: CompileRequest): readonly string[] {
  const isRefused = (name: string) => reservedNames.has(name) || isNumber(name) || name === moduleName
  const hides = (name: string) => Object.hasOwn(facts, name) || Object.hasOwn(serverFacts, name)
  return Object.keys(node.parameters).filter((name) => ignoredNames.has(name) || isRefused(name) || hides(name))
}
