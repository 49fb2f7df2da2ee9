import type { Expression, Parameter, SyntaxNode } from './nodes.ts'

// ---- Resources

/** Regular, virtual (`@`) or exported (`@@`). */
export type ResourceForm = 'regular' | 'virtual' | 'exported'

/** A resource expression: `file { 'title': mode => '0644' }`. */
export interface Resource extends SyntaxNode<'Resource'> {
  readonly form: ResourceForm
  readonly typeName: Expression
  readonly bodies: readonly ResourceBody[]
}
/** A body of a resource expression: `title: a => 1, b +> 2, * => $hash`. */
export interface ResourceBody extends SyntaxNode<'ResourceBody'> {
  readonly title: Expression
  readonly operations: readonly Operation[]
}
/** One attribute entry: `name => value`, `name +> value` or `* => hash`. */
export type Operation = AttributeOperation | AttributesOperation
/** An attribute: `name => value`, `name +> value`. */
export interface AttributeOperation extends SyntaxNode<'AttributeOperation'> {
  readonly name: string
  readonly operator: '=>' | '+>'
  readonly value: Expression
}
/** A hash of attributes: `* => hash`. */
export interface AttributesOperation extends SyntaxNode<'AttributesOperation'> {
  readonly value: Expression
}
/** Resource defaults: `File { mode => '0644' }`. */
export interface ResourceDefaults extends SyntaxNode<'ResourceDefaults'> {
  readonly form: ResourceForm
  readonly typeRef: Expression
  readonly operations: readonly Operation[]
}
/** A resource override: `File['a'] { mode => '0644' }`. */
export interface ResourceOverride extends SyntaxNode<'ResourceOverride'> {
  readonly form: ResourceForm
  readonly resources: Expression
  readonly operations: readonly Operation[]
}
/** A collector: `File <| query |> { … }`. */
export interface Collect extends SyntaxNode<'Collect'> {
  readonly type: Expression
  readonly query: Query
  readonly operations: readonly Operation[]
}
/** The query of a collector: `<| … |>`, or exported `<<| … |>>`. */
export interface Query extends SyntaxNode<'Query'> {
  readonly exported: boolean
  readonly expression: Expression | undefined
}

// ---- Definitions

/** The definition of a class: `class name($p) inherits parent { … }`. */
export interface HostClassDefinition extends SyntaxNode<'HostClassDefinition'> {
  /** Name with the names of the enclosing classes as prefix. */
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly parentClass: string | undefined
  readonly body: Expression
}
/** The definition of a defined type: `define name($p) { … }`. */
export interface ResourceTypeDefinition extends SyntaxNode<'ResourceTypeDefinition'> {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly body: Expression
}
/** A node definition: `node 'a', /b/, default { … }`. */
export interface NodeDefinition extends SyntaxNode<'NodeDefinition'> {
  readonly hostMatches: readonly Expression[]
  readonly parent: Expression | undefined
  readonly body: Expression
}
/** The definition of a function: `function name($p) >> Type { … }`. */
export interface FunctionDefinition extends SyntaxNode<'FunctionDefinition'> {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly returnType: Expression | undefined
  readonly body: Expression
}
/** The definition of a plan: `plan name($p) { … }`. */
export interface PlanDefinition extends SyntaxNode<'PlanDefinition'> {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly returnType: Expression | undefined
  readonly body: Expression
}
/** A type alias: `type Name = Type`. */
export interface TypeAlias extends SyntaxNode<'TypeAlias'> {
  readonly name: string
  readonly type: Expression
}
/** The definition of an Object type: `type Name inherits Parent { … }`. */
export interface TypeDefinition extends SyntaxNode<'TypeDefinition'> {
  readonly name: string
  readonly parent: string | undefined
  readonly body: Expression
}
/** A type mapping: `type Runtime[ruby, 'X'] = Y`. */
export interface TypeMapping extends SyntaxNode<'TypeMapping'> {
  readonly type: Expression
  readonly mapping: Expression
}
/** An apply block in a plan: `apply(targets) { … }`. */
export interface Apply extends SyntaxNode<'Apply'> {
  readonly arguments: readonly Expression[]
  readonly body: Expression
}
