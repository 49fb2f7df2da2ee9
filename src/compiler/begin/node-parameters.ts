import type { CompileRequest } from '../request/compile-request.ts'

/** Names that a node's parameters and facts say in vain: these have values of their own. */
export const ignoredNames: ReadonlySet<string> = new Set(['environment', 'trusted'])

/** Names that no parameter may have, beside numbers. */
const refused: ReadonlySet<string> = new Set(['facts', 'module_name', 'server_facts'])

/** The node's parameters that do more than to be variables: they hide facts, or are refused. */
export function specialParameters({ node, facts, serverFacts }: CompileRequest): readonly string[] {
  const isSpecial = (name: string) => refused.has(name) || ignoredNames.has(name) || /^\d+$/.test(name)
  const hides = (name: string) => Object.hasOwn(facts, name) || Object.hasOwn(serverFacts, name)
  return Object.keys(node.parameters).filter((name) => isSpecial(name) || hides(name))
}
