import { type Diagnostic, diagnose } from '../../../base/issue.ts'
import type { Source } from '../../../base/source.ts'
import { type Parsed, type ParserOptions, parse } from '../parser/parser.ts'
import { getChildren } from '../tree/children.ts'
import type { AnyNode, Program } from '../tree/nodes.ts'
import type { Context, Rules, ValidationOptions } from './context.ts'
import { definitionRules } from './definitions.ts'
import { expressionRules } from './expressions.ts'
import { resourceRules } from './resources.ts'
import { isRefusedInTasks, taskRules } from './tasks.ts'
import { ValidationError } from './validation-error.ts'

export type { ValidationOptions } from './context.ts'

const rules: Rules = { ...expressionRules, ...resourceRules, ...definitionRules }

/** Checks a tree. Returns errors and warnings in the order in which Puppet reports them. */
export function validate(program: Program, options: ValidationOptions = {}): Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  const path: AnyNode[] = []
  const context: Context = {
    options,
    read: parseAndValidate,
    ancestor: (levels) => path.at(-levels),
    accept(issue, a, node, severity) {
      diagnostics.push(diagnose(issue, a, node.span, severity))
    },
  }
  const visit = (node: AnyNode): void => {
    if (options.tasks) check(taskRules, node, context)
    if (!options.tasks || !isRefusedInTasks(node, context)) check(rules, node, context)
    path.push(node)
    for (const child of getChildren(node)) visit(child)
    path.pop()
  }
  visit(program)
  return diagnostics
}

function check(table: Rules, node: AnyNode, context: Context): void {
  const rule = table[node.kind] as ((node: AnyNode, context: Context) => void) | undefined
  rule?.(node, context)
}

/** Parses and validates a source. Throws the syntax error, or a ValidationError with all findings. */
export function parseAndValidate(source: Source, options: ParserOptions & ValidationOptions = {}): Parsed {
  const { program, warnings } = parse(source, options)
  const found = validate(program, options)
  if (found.some(({ severity }) => severity === 'error')) throw new ValidationError(source, found, warnings)
  return { program, warnings: [...warnings, ...found] }
}
