import type { SourceSpan } from '../../base/source.ts'
import { getChildren } from '../../language/syntax/tree/children.ts'
import type {
  Access,
  AnyNode,
  CallNamedFunction,
  Expression,
  FunctionDefinition,
  HostClassDefinition,
  NodeOf,
  Operation,
  Parameter,
  PlanDefinition,
  Program,
  Resource,
  ResourceTypeDefinition,
} from '../../language/syntax/tree/nodes.ts'
import type { NameKind, Occurrence } from './occurrence.ts'
import { findParentClass, getVariableName, resolveVariable, type VariableScope } from './variable-scope.ts'

/** Lists the names that a file defines and uses, in the order of the text. */
export function listOccurrences(program: Program): readonly Occurrence[] {
  const walk = new OccurrenceWalk()
  walk.visitAll(program, createScope('', 0, undefined))
  return walk.found.sort((a, b) => a.span.start - b.span.start)
}

function createScope(className: string | undefined, start: number, parent: VariableScope | undefined): VariableScope {
  return { className, start, variables: new Set(), parent }
}

/** Functions whose arguments are names of classes. */
export const classFunctions: ReadonlySet<string> = new Set(['include', 'contain', 'require'])

type Rule<Kind extends AnyNode['kind']> = (node: NodeOf<Kind>, scope: VariableScope, walk: OccurrenceWalk) => void
type Rules = { readonly [Kind in AnyNode['kind']]?: Rule<Kind> }

/** Kinds of nodes with names of their own; the children of all other nodes are visited. */
const rules: Rules = {
  HostClassDefinition: (node, scope, walk) => walk.visitClass(node, scope),
  ResourceTypeDefinition: (node, scope, walk) => walk.visitDefinition(node, 'resource type', scope),
  FunctionDefinition: (node, _, walk) => walk.visitDefinition(node, 'function', undefined),
  PlanDefinition: (node, _, walk) => walk.visitDefinition(node, 'function', undefined),
  NodeDefinition: (node, scope, walk) => walk.visitChildren(node, createScope(undefined, node.span.start, scope)),
  Lambda: (node, scope, walk) => {
    const inner = createScope(undefined, node.span.start, scope)
    walk.addParameters(node.parameters, inner)
    walk.visitAll(node.body, inner)
    if (node.returnType) walk.visitAll(node.returnType, inner)
  },
  TypeAlias: (node, scope, walk) => {
    walk.add('data type', node.name, walk.findName(node.span, node.name), true)
    walk.visitAll(node.type, scope)
  },
  TypeDefinition: (node, scope, walk) => {
    walk.add('data type', node.name, walk.findName(node.span, node.name), true)
    walk.visitChildren(node, scope)
  },
  Resource: (node, scope, walk) => walk.visitResource(node, scope),
  ResourceDefaults: (node, scope, walk) => {
    walk.visitAll(node.typeRef, scope)
    walk.addAttributes(listOwners(node.typeRef), node.operations, scope)
  },
  ResourceOverride: ({ resources, operations }, scope, walk) => {
    walk.visitAll(resources, scope)
    walk.addAttributes(listOwners(resources), operations, scope)
  },
  Collect: ({ type, query, operations }, scope, walk) => {
    const owners = listOwners(type)
    walk.visitAll(type, scope)
    if (query.expression) walk.visitQuery(query.expression, owners, scope)
    walk.addAttributes(owners, operations, scope)
  },
  CallNamedFunction: (node, scope, walk) => walk.visitCall(node, scope),
  CallMethod: (node, scope, walk) => {
    const { functor } = node
    walk.visitAll(functor.left, scope)
    if (functor.right.kind === 'QualifiedName') walk.add('function', functor.right.value, functor.right.span)
    for (const each of node.arguments) walk.visitAll(each, scope)
    if (node.lambda) walk.visitAll(node.lambda, scope)
  },
  Access: (node, scope, walk) => walk.visitAccess(node, scope),
  QualifiedReference: (node, _, walk) => walk.add('data type', node.casedValue, node.span),
  Assignment: (node, scope, walk) => {
    walk.visitAll(node.right, scope)
    walk.visitAssigned(node.left, scope)
  },
  Variable: ({ name, span }, scope, walk) => walk.visitVariable(name, span, scope),
}

class OccurrenceWalk {
  readonly found: Occurrence[] = []

  visitAll(node: AnyNode, scope: VariableScope): void {
    const rule = rules[node.kind] as Rule<AnyNode['kind']> | undefined
    if (rule) rule(node as never, scope, this)
    else this.visitChildren(node, scope)
  }

  visitChildren(node: AnyNode, scope: VariableScope): void {
    for (const child of getChildren(node)) this.visitAll(child, scope)
  }

  add(kind: NameKind, name: string, span: SourceSpan | undefined, isDefinition = false): void {
    if (span) this.found.push({ kind, name: toFullName(name), span, isDefinition })
  }

  visitClass(node: HostClassDefinition, outer: VariableScope): void {
    const { name, parentClass, span } = node
    this.add('class', name, this.findName(span, name), true)
    if (parentClass !== undefined) {
      const after = span.source.text.indexOf('inherits', span.start)
      this.add('class', parentClass, this.findName({ ...span, start: Math.max(after, span.start) }, parentClass))
    }
    // A class nested in another one has the variables of top scope, not those of the other class.
    const parent = outer.className === '' ? outer : undefined
    const scope = { ...createScope(name, span.start, parent), parentClass: parentClass && toFullName(parentClass) }
    for (const each of node.parameters)
      this.add('attribute', `class:${name}#${each.name}`, getParameterSpan(each), true)
    this.addParameters(node.parameters, scope)
    this.visitAll(node.body, scope)
  }

  visitDefinition(
    node: ResourceTypeDefinition | FunctionDefinition | PlanDefinition,
    kind: NameKind,
    parent: VariableScope | undefined,
  ): void {
    const { name, span } = node
    this.add(kind, name, this.findName(span, name), true)
    const scope = createScope(undefined, span.start, parent)
    if (kind === 'resource type')
      for (const each of node.parameters) this.add('attribute', `${name}#${each.name}`, getParameterSpan(each), true)
    this.addParameters(node.parameters, scope)
    if ('returnType' in node && node.returnType) this.visitAll(node.returnType, scope)
    this.visitAll(node.body, scope)
  }

  addParameters(parameters: readonly Parameter[], scope: VariableScope): void {
    for (const each of parameters) {
      if (each.type) this.visitAll(each.type, scope)
      if (each.value) this.visitAll(each.value, scope)
      scope.variables.add(each.name)
      this.add('variable', getVariableName(scope, each.name), getParameterSpan(each), true)
    }
  }

  visitResource({ typeName, bodies }: Resource, scope: VariableScope): void {
    const type = typeName.kind === 'QualifiedName' ? typeName.value : undefined
    if (type === undefined) this.visitAll(typeName, scope)
    else if (type !== 'class') this.add('resource type', type, typeName.span)
    for (const { title, operations } of bodies) {
      this.visitClassNames(title, type === 'class', scope)
      this.addAttributes(type === 'class' ? listClassOwners([title]) : type ? [type] : [], operations, scope)
    }
  }

  /** Adds the attributes of `owners`: types, or classes as `class:NAME`. */
  addAttributes(owners: readonly string[], operations: readonly Operation[], scope: VariableScope): void {
    for (const each of operations) {
      if (each.kind === 'AttributeOperation') this.addAttribute(owners, each.name, this.findName(each.span, each.name))
      this.visitAll(each.value, scope)
    }
  }

  addAttribute(owners: readonly string[], name: string, span: SourceSpan | undefined): void {
    for (const owner of owners) this.add('attribute', `${owner.replace(/^(class:)?::/, '$1')}#${name}`, span)
  }

  /** Visits the query of a collector, whose comparisons have an attribute on the left side. */
  visitQuery(node: Expression, owners: readonly string[], scope: VariableScope): void {
    if (node.kind === 'And' || node.kind === 'Or') {
      this.visitQuery(node.left, owners, scope)
      this.visitQuery(node.right, owners, scope)
    } else if (node.kind === 'Parenthesized') this.visitQuery(node.expression, owners, scope)
    else if (node.kind === 'Comparison' && node.left.kind === 'QualifiedName') {
      this.addAttribute(owners, node.left.value, node.left.span)
      this.visitAll(node.right, scope)
    } else this.visitAll(node, scope)
  }

  visitCall(node: CallNamedFunction, scope: VariableScope): void {
    const name = node.functor.kind === 'QualifiedName' ? node.functor.value : undefined
    if (name === undefined) this.visitAll(node.functor, scope)
    else this.add('function', name, node.functor.span)
    for (const each of node.arguments) this.visitClassNames(each, name !== undefined && classFunctions.has(name), scope)
    if (node.lambda) this.visitAll(node.lambda, scope)
  }

  /** Visits an argument; literal names in it are classes if `areClasses` is true. */
  visitClassNames(node: Expression, areClasses: boolean, scope: VariableScope): void {
    const name = areClasses ? getLiteralName(node) : undefined
    if (name !== undefined) this.add('class', name, getNameSpan(node))
    else if (areClasses && node.kind === 'LiteralList')
      for (const each of node.values) this.visitClassNames(each, true, scope)
    else this.visitAll(node, scope)
  }

  visitAccess({ left, keys }: Access, scope: VariableScope): void {
    const type = left.kind === 'QualifiedReference' ? left.casedValue.toLowerCase() : undefined
    if (type === undefined || type !== 'class') this.visitAll(left, scope)
    for (const each of keys) this.visitClassNames(each, type === 'class', scope)
  }

  visitAssigned(left: Expression, scope: VariableScope): void {
    if (left.kind === 'LiteralList') for (const each of left.values) this.visitAssigned(each, scope)
    else if (left.kind === 'Variable') {
      scope.variables.add(left.name)
      this.add('variable', getVariableName(scope, left.name), withoutSigil(left.span), true)
    } else this.visitAll(left, scope)
  }

  visitVariable(name: string, span: SourceSpan, scope: VariableScope): void {
    const isQualified = name.includes('::')
    const full = toFullName(isQualified ? name : resolveVariable(scope, name))
    const parentClass = isQualified ? undefined : findParentClass(scope, name)
    this.found.push({ kind: 'variable', name: full, span: withoutSigil(span), isDefinition: false, parentClass })
  }

  /** The span of a name within a span: of the last segments that are in the text, since nested names have a prefix. */
  findName(span: SourceSpan, name: string): SourceSpan | undefined {
    const { source, end } = span
    const parts = listEndings(name.toLowerCase())
    for (let start = span.start; start < end; start++) {
      if (start > 0 && isWordCharacter(source.text[start - 1])) continue
      const part = parts.find((each) => hasWordAt(source.text, each, start))
      if (part !== undefined) return { source, start, end: start + part.length }
    }
    return undefined
  }
}

function toFullName(name: string): string {
  return name.toLowerCase().replace(/^::/, '')
}

/** A name and its endings at `::`, the longest first. */
function listEndings(name: string): readonly string[] {
  const endings = [name]
  for (let at = name.indexOf('::'); at !== -1; at = name.indexOf('::', at + 2)) endings.push(name.slice(at + 2))
  return endings
}

function hasWordAt(text: string, word: string, start: number): boolean {
  const end = start + word.length
  return !isWordCharacter(text[end]) && text.slice(start, end).toLowerCase() === word
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /\w/.test(character)
}

/** The owners of attributes that a type or a reference means: `Ntp::Peer`, `Ntp::Peer['a']`, `Class['ntp']`. */
function listOwners(node: Expression): readonly string[] {
  if (node.kind === 'QualifiedReference') return [node.casedValue]
  if (node.kind !== 'Access' || node.left.kind !== 'QualifiedReference') return []
  const { casedValue } = node.left
  return casedValue.toLowerCase() === 'class' ? listClassOwners(node.keys) : [casedValue]
}

/** Classes with literal names, as owners of attributes. */
function listClassOwners(titles: readonly Expression[]): readonly string[] {
  return titles.flatMap((each): readonly string[] => {
    if (each.kind === 'LiteralList') return listClassOwners(each.values)
    const name = getLiteralName(each)
    return name === undefined ? [] : [`class:${name}`]
  })
}

function getParameterSpan({ span, name }: Parameter): SourceSpan | undefined {
  const start = span.source.text.indexOf(`$${name}`, span.start)
  return start === -1 ? undefined : { source: span.source, start: start + 1, end: start + 1 + name.length }
}

/** The span of a variable without `$`; in an interpolation, the span may have none. */
function withoutSigil(span: SourceSpan): SourceSpan {
  return span.source.text[span.start] === '$' ? { ...span, start: span.start + 1 } : span
}

function getLiteralName(node: Expression): string | undefined {
  return node.kind === 'LiteralString' || node.kind === 'QualifiedName' ? node.value : undefined
}

/** The span of a name without quotes. */
function getNameSpan({ span }: Expression): SourceSpan {
  const isQuoted = /['"]/.test(span.source.text[span.start] ?? '')
  return isQuoted ? { ...span, start: span.start + 1, end: span.end - 1 } : span
}
