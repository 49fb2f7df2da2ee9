import type { Context, Rules } from './context.ts'
import { failAt } from './evaluation-error.ts'
import { issues } from './issues.ts'

const nothing = (): undefined => undefined

/** Definitions are registered before their file is evaluated; their rules do nothing. */
export const definitions: Rules<
  | 'HostClassDefinition'
  | 'ResourceTypeDefinition'
  | 'NodeDefinition'
  | 'FunctionDefinition'
  | 'PlanDefinition'
  | 'TypeAlias'
  | 'TypeDefinition'
  | 'TypeMapping'
  | 'Apply'
> = {
  HostClassDefinition: nothing,
  ResourceTypeDefinition: nothing,
  NodeDefinition: nothing,
  FunctionDefinition: nothing,
  PlanDefinition: nothing,
  TypeAlias: nothing,
  TypeDefinition: nothing,
  TypeMapping: nothing,
  Apply: (node, _context: Context) => failAt(node.span, issues.EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING, { node }),
}
