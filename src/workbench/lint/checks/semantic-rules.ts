/** A check that needs other files of the module or control repository. The part code-checks implements it. */
export interface SemanticRule {
  readonly name: SemanticCheckName
  readonly severity: 'warning' | 'error'
  /** One sentence for reports. */
  readonly doc: string
}

/** Semantic checks. An error is a fault that ends the compilation of a catalog. */
const rules = {
  unknown_variable: ['error', 'A variable is set before it is read.'],
  unknown_class: ['error', 'A class exists.'],
  unknown_type: ['error', 'A resource type, defined type or data type exists.'],
  unknown_function: ['error', 'A function exists.'],
  unknown_parameter: ['error', 'A class, defined type or resource type has the given parameter.'],
  missing_parameter: ['error', 'A resource has the required parameters of its defined type.'],
  wrong_type: ['error', 'A literal value or a value of Hiera data has the type of its parameter.'],
  wrong_arguments: ['error', 'A function accepts the number and the literal values of its arguments.'],
  missing_file: ['error', 'A file or template that is named literally exists in its module.'],
  duplicate_declaration: ['error', 'A resource is declared once.'],
  unset_template_variable: ['warning', 'A template reads only variables that its callers set.'],
  unread_data_key: ['warning', 'A key of Hiera data is read by a parameter or a lookup.'],
  dead_branch: ['warning', 'Every branch and statement can be reached.'],
  unused_parameter: ['warning', 'A parameter is read.'],
  unused_variable: ['warning', 'A variable is read after it is set.'],
} as const satisfies Readonly<Record<string, readonly ['warning' | 'error', string]>>

/** The name of a semantic check. */
export type SemanticCheckName = keyof typeof rules

/** The semantic checks, by name. They run only when they are enabled. */
export const semanticRules: ReadonlyMap<string, SemanticRule> = new Map(
  Object.entries(rules).map(([name, [severity, doc]]) => [name, { name: name as SemanticCheckName, severity, doc }]),
)
