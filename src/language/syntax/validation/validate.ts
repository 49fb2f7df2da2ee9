import { createDiagnostic, type Diagnostic } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { type ParseResult, type ParserOptions, parseSource } from '../parser/parser.ts'
import { getChildren } from '../tree/children.ts'
import type { AnyNode, Program } from '../tree/nodes.ts'
import type { ValidationContext, ValidationOptions, ValidationRules } from './context.ts'
import { definitionRules } from './definitions.ts'
import { expressionRules } from './expressions.ts'
import { resourceRules } from './resources.ts'
import { isIllegalInTasks, taskRules } from './tasks.ts'
import { ValidationError } from './validation-error.ts'

export type { ValidationOptions } from './context.ts'

const rules: ValidationRules = { ...expressionRules, ...resourceRules, ...definitionRules }

/** Checks a tree. Returns errors and warnings in the order in which Puppet reports them. */
export function validateProgram(program: Program, options: ValidationOptions = {}): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const path: AnyNode[] = []
  const context: ValidationContext = {
    options,
    read: parseAndValidate,
    ancestor: (levels) => path.at(-levels),
    accept(issue, a, node, severity) {
      diagnostics.push(createDiagnostic(issue, a, node.span, severity))
    },
  }
  const visitNode = (node: AnyNode): void => {
    if (options.tasks) applyRule(taskRules, node, context)
    if (!options.tasks || !isIllegalInTasks(node, context)) applyRule(rules, node, context)
    path.push(node)
    for (const child of getChildren(node)) visitNode(child)
    path.pop()
  }
  visitNode(program)
  return diagnostics
}

function applyRule(table: ValidationRules, node: AnyNode, context: ValidationContext): void {
  const rule = table[node.kind] as ((node: AnyNode, context: ValidationContext) => void) | undefined
  rule?.(node, context)
}

/** Parses and validates a source. Throws the syntax error, or a ValidationError with all findings. */
export function parseAndValidate(source: Source, options: ParserOptions & ValidationOptions = {}): ParseResult {
  const { program, warnings } = parseSource(source, options)
  const found = validateProgram(program, options)
  if (found.some(({ severity }) => severity === 'error')) throw new ValidationError(source, found, warnings)
  return { program, warnings: [...warnings, ...found] }
}
