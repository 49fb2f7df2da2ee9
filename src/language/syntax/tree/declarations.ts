import type { Expression, Parameter, SyntaxNode } from './nodes.ts'

// ---- Resources

/** Regular, virtual (`@`) or exported (`@@`). */
export type ResourceForm = 'regular' | 'virtual' | 'exported'

/** `file { 'title': mode => '0644' }` */
export interface Resource extends SyntaxNode<'Resource'> {
  readonly form: ResourceForm
  readonly typeName: Expression
  readonly bodies: readonly ResourceBody[]
}
/** `title: a => 1, b +> 2, * => $hash` */
export interface ResourceBody extends SyntaxNode<'ResourceBody'> {
  readonly title: Expression
  readonly operations: readonly Operation[]
}
/** One attribute entry: `name => value`, `name +> value` or `* => hash`. */
export type Operation = AttributeOperation | AttributesOperation
/** `name => value`, `name +> value` */
export interface AttributeOperation extends SyntaxNode<'AttributeOperation'> {
  readonly name: string
  readonly operator: '=>' | '+>'
  readonly value: Expression
}
/** `* => hash` */
export interface AttributesOperation extends SyntaxNode<'AttributesOperation'> {
  readonly value: Expression
}
/** `File { mode => '0644' }` */
export interface ResourceDefaults extends SyntaxNode<'ResourceDefaults'> {
  readonly form: ResourceForm
  readonly typeRef: Expression
  readonly operations: readonly Operation[]
}
/** `File['a'] { mode => '0644' }` */
export interface ResourceOverride extends SyntaxNode<'ResourceOverride'> {
  readonly form: ResourceForm
  readonly resources: Expression
  readonly operations: readonly Operation[]
}
/** `File <| query |> { … }` */
export interface Collect extends SyntaxNode<'Collect'> {
  readonly type: Expression
  readonly query: Query
  readonly operations: readonly Operation[]
}
/** `<| … |>`, or exported `<<| … |>>` */
export interface Query extends SyntaxNode<'Query'> {
  readonly exported: boolean
  readonly expression: Expression | undefined
}

// ---- Definitions

/** `class name($p) inherits parent { … }` */
export interface HostClassDefinition extends SyntaxNode<'HostClassDefinition'> {
  /** Name with the names of the enclosing classes as prefix. */
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly parentClass: string | undefined
  readonly body: Expression
}
/** `define name($p) { … }` */
export interface ResourceTypeDefinition extends SyntaxNode<'ResourceTypeDefinition'> {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: Expression
}
/** `node 'a', /b/, default { … }` */
export interface NodeDefinition extends SyntaxNode<'NodeDefinition'> {
  readonly hostMatches: readonly Expression[]
  readonly parent: Expression | undefined
  readonly body: Expression
}
/** `function name($p) >> Type { … }` */
export interface FunctionDefinition extends SyntaxNode<'FunctionDefinition'> {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly returnType: Expression | undefined
  readonly body: Expression
}
/** `plan name($p) { … }` */
export interface PlanDefinition extends SyntaxNode<'PlanDefinition'> {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly returnType: Expression | undefined
  readonly body: Expression
}
/** `type Name = Type` */
export interface TypeAlias extends SyntaxNode<'TypeAlias'> {
  readonly name: string
  readonly type: Expression
}
/** `type Name inherits Parent { … }` */
export interface TypeDefinition extends SyntaxNode<'TypeDefinition'> {
  readonly name: string
  readonly parent: string | undefined
  readonly body: Expression
}
/** `type Runtime[ruby, 'X'] = Y` */
export interface TypeMapping extends SyntaxNode<'TypeMapping'> {
  readonly type: Expression
  readonly mapping: Expression
}
/** `apply(targets) { … }` in a plan */
export interface Apply extends SyntaxNode<'Apply'> {
  readonly arguments: readonly Expression[]
  readonly body: Expression
}
