import type { SourceSpan } from '../../../base/source.ts'
import type {
  Apply,
  AttributeOperation,
  AttributesOperation,
  Collect,
  FunctionDefinition,
  HostClassDefinition,
  NodeDefinition,
  PlanDefinition,
  Query,
  Resource,
  ResourceBody,
  ResourceDefaults,
  ResourceOverride,
  ResourceTypeDefinition,
  TypeAlias,
  TypeDefinition,
  TypeMapping,
} from './declarations.ts'

export type * from './declarations.ts'

/** Properties of every node. Nodes are plain readonly data; functions on nodes dispatch on `kind`. */
export interface SyntaxNode<Kind extends string> {
  readonly kind: Kind
  readonly span: SourceSpan
}

// ---- Literals

/** `'text'`, or a double-quoted string or heredoc without interpolation. */
export interface LiteralString extends SyntaxNode<'LiteralString'> {
  readonly value: string
}
/** An Integer literal: `10`, `0x1F`, `017`. */
export interface LiteralInteger extends SyntaxNode<'LiteralInteger'> {
  /** The value, as a bigint only if a number would lose precision. */
  readonly value: number | bigint
  readonly radix: 8 | 10 | 16
}
/** A Float literal: `1.5`, `1e3`. */
export interface LiteralFloat extends SyntaxNode<'LiteralFloat'> {
  readonly value: number
}
/** A Boolean literal: `true`, `false`. */
export interface LiteralBoolean extends SyntaxNode<'LiteralBoolean'> {
  readonly value: boolean
}
/** The literal `undef`. */
export interface LiteralUndef extends SyntaxNode<'LiteralUndef'> {}
/** The literal `default`. */
export interface LiteralDefault extends SyntaxNode<'LiteralDefault'> {}
/** A regular expression literal, `/pattern/`, in Ruby's syntax, with `\/` unescaped. */
export interface LiteralRegexp extends SyntaxNode<'LiteralRegexp'> {
  readonly pattern: string
}
/** An array literal: `[a, b]`. */
export interface LiteralList extends SyntaxNode<'LiteralList'> {
  readonly values: readonly Expression[]
}
/** A hash literal: `{ a => b }`. */
export interface LiteralHash extends SyntaxNode<'LiteralHash'> {
  readonly entries: readonly KeyedEntry[]
}
/** An entry of a hash literal, `key => value`; its span is that of the arrow. */
export interface KeyedEntry extends SyntaxNode<'KeyedEntry'> {
  readonly key: Expression
  readonly value: Expression
}

// ---- Names and strings

/** A name or bare word: `a::b`. */
export interface QualifiedName extends SyntaxNode<'QualifiedName'> {
  readonly value: string
}
/** The name of a type or class: `A::B`. */
export interface QualifiedReference extends SyntaxNode<'QualifiedReference'> {
  /** Name as written, with its capitals. */
  readonly casedValue: string
}
/** A variable: `$a::b`, `$0`. */
export interface Variable extends SyntaxNode<'Variable'> {
  /** Name without `$`; a leading `::` is kept. */
  readonly name: string
}
/** A word reserved for future use, such as `attr` or `private`. */
export interface ReservedWord extends SyntaxNode<'ReservedWord'> {
  readonly word: string
  readonly future: boolean
}
/** `"text ${expression} text"`: literal strings, and interpolations as `TextExpression`. */
export interface ConcatenatedString extends SyntaxNode<'ConcatenatedString'> {
  readonly segments: readonly Expression[]
}
/** An interpolation in a string: `${expression}`. */
export interface TextExpression extends SyntaxNode<'TextExpression'> {
  readonly expression: Expression
}
/** A heredoc: `@("TAG":syntax/flags) … | TAG`. */
export interface Heredoc extends SyntaxNode<'Heredoc'> {
  readonly syntax: string
  readonly text: Expression
}

// ---- Operators

/** An empty body of a definition or conditional. */
export interface Nop extends SyntaxNode<'Nop'> {}
/** An expression in parentheses: `( expression )`. */
export interface Parenthesized extends SyntaxNode<'Parenthesized'> {
  readonly expression: Expression
}
/** Negation of a Boolean: `!expression`. */
export interface Not extends SyntaxNode<'Not'> {
  readonly expression: Expression
}
/** Negation of a number: `-expression`. */
export interface UnaryMinus extends SyntaxNode<'UnaryMinus'> {
  readonly expression: Expression
}
/** A splat, whose elements become separate arguments: `*expression`. */
export interface Unfold extends SyntaxNode<'Unfold'> {
  readonly expression: Expression
}
interface Binary<Kind extends string> extends SyntaxNode<Kind> {
  readonly left: Expression
  readonly right: Expression
}
/** `left and right`; the right side is evaluated only after a true left one. */
export interface And extends Binary<'And'> {}
/** `left or right`; the right side is evaluated only after a false left one. */
export interface Or extends Binary<'Or'> {}
/** The membership operator: `left in right`. */
export interface In extends Binary<'In'> {}
/** `left + right`; also on collections, where `<<` appends. */
export interface Arithmetic extends Binary<'Arithmetic'> {
  readonly operator: '+' | '-' | '*' | '/' | '%' | '<<' | '>>'
}
/** `left == right`; between types, `<` means "is narrower than". */
export interface Comparison extends Binary<'Comparison'> {
  readonly operator: '==' | '!=' | '<' | '>' | '<=' | '>='
}
/** The match operator: `left =~ right`. */
export interface Match extends Binary<'Match'> {
  readonly operator: '=~' | '!~'
}
/** `$a = 1`, `[$a, $b] = …`; `+=` and `-=` are parsed, and rejected by validation. */
export interface Assignment extends Binary<'Assignment'> {
  readonly operator: '=' | '+=' | '-='
}
/** A relationship between resources: `left -> right`. */
export interface Relationship extends Binary<'Relationship'> {
  readonly operator: '->' | '~>' | '<-' | '<~'
}
/** An element of a value, or a parameterized type: `left[key, …]`. */
export interface Access extends SyntaxNode<'Access'> {
  readonly left: Expression
  readonly keys: readonly Expression[]
}
/** `left.right` without arguments; valid only as part of a call. */
export interface NamedAccess extends Binary<'NamedAccess'> {}

// ---- Control

/** A block of statements, in order. */
export interface Block extends SyntaxNode<'Block'> {
  readonly statements: readonly Expression[]
}
/** `if test { … } else { … }`; an `elsif` is an `If` in `else`; an absent `else` is `Nop`. */
export interface If extends SyntaxNode<'If'> {
  readonly test: Expression
  readonly then: Expression
  readonly else: Expression
}
/** An `unless` conditional: `unless test { … } else { … }`. */
export interface Unless extends SyntaxNode<'Unless'> {
  readonly test: Expression
  readonly then: Expression
  readonly else: Expression
}
/** A `case` conditional: `case test { a, b: { … } }`. */
export interface Case extends SyntaxNode<'Case'> {
  readonly test: Expression
  readonly options: readonly CaseOption[]
}
/** `a, b: { … }` in a `case`; `default` among the values is a `LiteralDefault`. */
export interface CaseOption extends SyntaxNode<'CaseOption'> {
  readonly values: readonly Expression[]
  readonly then: Expression
}
/** A selector: `left ? { a => b }`. */
export interface Selector extends SyntaxNode<'Selector'> {
  readonly left: Expression
  readonly selectors: readonly SelectorEntry[]
}
/** `a => b` in a selector; its span is that of the arrow. */
export interface SelectorEntry extends SyntaxNode<'SelectorEntry'> {
  readonly matching: Expression
  readonly value: Expression
}

// ---- Calls

/** `name(a, b) |$x| { … }`, `Type(…)`, and statements such as `include a` */
export interface CallNamedFunction extends SyntaxNode<'CallNamedFunction'> {
  readonly functor: Expression
  readonly arguments: readonly Expression[]
  readonly lambda: Lambda | undefined
  /** True if the call must return a value; false for a statement call. */
  readonly rvalRequired: boolean
}
/** A method call: `value.name(a) |$x| { … }`. */
export interface CallMethod extends SyntaxNode<'CallMethod'> {
  readonly functor: NamedAccess
  readonly arguments: readonly Expression[]
  readonly lambda: Lambda | undefined
  readonly rvalRequired: boolean
}
/** A lambda: `|$x, Integer $y = 1, *$rest| >> Type { … }`. */
export interface Lambda extends SyntaxNode<'Lambda'> {
  readonly parameters: readonly Parameter[]
  readonly body: Expression
  readonly returnType: Expression | undefined
}
/** A parameter of a lambda or definition: `Type *$name = value`. */
export interface Parameter extends SyntaxNode<'Parameter'> {
  readonly name: string
  readonly type: Expression | undefined
  readonly value: Expression | undefined
  readonly capturesRest: boolean
}

// ---- EPP

/** An EPP template: `<%- | Type $x | -%>` and its body. */
export interface Epp extends SyntaxNode<'Epp'> {
  /** True for a template with a parameter list, even an empty one. */
  readonly parametersSpecified: boolean
  readonly body: Expression
}
/** Literal text of a template. */
export interface RenderString extends SyntaxNode<'RenderString'> {
  readonly value: string
}
/** An expression tag of a template: `<%= expression %>`. */
export interface Render extends SyntaxNode<'Render'> {
  readonly expression: Expression
}

/** A whole manifest or template. */
export interface Program extends SyntaxNode<'Program'> {
  readonly body: Expression
  /** All definitions in the file, including nested ones, in the order in which they end, as in Puppet's parser. */
  readonly definitions: readonly Definition[]
}

/** Nodes that a `Program` lists in `definitions`. They are found by name; `node` definitions are found by matching. */
export type Definition =
  | HostClassDefinition
  | ResourceTypeDefinition
  | NodeDefinition
  | FunctionDefinition
  | PlanDefinition
  | TypeAlias
  | TypeDefinition
  | TypeMapping

/** Literal values; lists and hashes can contain any expression. */
export type Literal =
  | LiteralString
  | LiteralInteger
  | LiteralFloat
  | LiteralBoolean
  | LiteralUndef
  | LiteralDefault
  | LiteralRegexp
  | LiteralList
  | LiteralHash

/** Nodes that can be evaluated as a statement or an expression. */
export type Expression =
  | Literal
  | Definition
  | QualifiedName
  | QualifiedReference
  | Variable
  | ReservedWord
  | ConcatenatedString
  | TextExpression
  | Heredoc
  | Nop
  | Parenthesized
  | Not
  | UnaryMinus
  | Unfold
  | And
  | Or
  | In
  | Arithmetic
  | Comparison
  | Match
  | Assignment
  | Relationship
  | Access
  | NamedAccess
  | Block
  | If
  | Unless
  | Case
  | Selector
  | CallNamedFunction
  | CallMethod
  | Lambda
  | Resource
  | ResourceDefaults
  | ResourceOverride
  | Collect
  | Query
  | Epp
  | RenderString
  | Render
  | Apply

/** Nodes that occur only inside another node. */
export type ExpressionPart =
  | KeyedEntry
  | CaseOption
  | SelectorEntry
  | Parameter
  | ResourceBody
  | AttributeOperation
  | AttributesOperation

/** Every kind of syntax node. */
export type AnyNode = Expression | ExpressionPart | Program
/** Kinds of expressions; excludes parts and programs. */
export type ExpressionKind = Expression['kind']
/** Node type of a kind: `NodeOf<'If'>` is `If`. */
export type NodeOf<K extends AnyNode['kind']> = Extract<AnyNode, { readonly kind: K }>
