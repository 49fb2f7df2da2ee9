import type { EvaluationContext, EvaluationRules } from './context.ts'
import { failAtSpan } from './evaluation-error.ts'
import { evaluatorIssues } from './issues.ts'

const doNothing = (): undefined => undefined

/** Evaluation of a definition does nothing, because definitions are registered before their file is evaluated. */
export const definitionEvaluation: EvaluationRules<
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
  HostClassDefinition: doNothing,
  ResourceTypeDefinition: doNothing,
  NodeDefinition: doNothing,
  FunctionDefinition: doNothing,
  PlanDefinition: doNothing,
  TypeAlias: doNothing,
  TypeDefinition: doNothing,
  TypeMapping: doNothing,
  Apply: (node, _context: EvaluationContext) =>
    failAtSpan(node.span, evaluatorIssues.EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING, { node }),
}
