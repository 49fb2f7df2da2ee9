import type { Span } from '../../../base/source.ts'
import { syntaxIssues } from '../issues/syntax.ts'
import type { Token, TokenKind } from '../lexer/token.ts'
import type {
  Access,
  Expression,
  FunctionDefinition,
  HostClassDefinition,
  LiteralHash,
  LiteralString,
  NodeDefinition,
  PlanDefinition,
  QualifiedReference,
  ResourceTypeDefinition,
  TypeAlias,
  TypeDefinition,
  TypeMapping,
} from '../tree/nodes.ts'
import { blockBody } from './blocks.ts'
import type { Cursor } from './cursor.ts'
import { hashLiteral, listLiteral } from './lists.ts'
import { optionalReturnType, parameterList, qualifiedReference, typeAccess } from './parameters.ts'
import { heredoc, interpolatedString, literalString } from './strings.ts'

/** `class name($p) inherits parent { … }` */
export function classDefinition(p: Cursor): HostClassDefinition {
  const word = p.next()
  const name = definedName(p)
  p.enclose(name)
  const parameters = parameterList(p)
  const parentClass = p.accept('inherits') ? (p.accept('default')?.value ?? definedName(p)) : undefined
  const body = blockBody(p)
  p.endEnclosure()
  const span = p.span(word, body.span)
  return p.define({ kind: 'HostClassDefinition', span, name: p.qualified(name), parameters, parentClass, body })
}

/** `define name($p) { … }` */
export function resourceTypeDefinition(p: Cursor): ResourceTypeDefinition {
  const word = p.next()
  const name = definedName(p)
  const parameters = parameterList(p)
  const body = blockBody(p)
  const span = p.span(word, body.span)
  return p.define({ kind: 'ResourceTypeDefinition', span, name: p.qualified(name), parameters, body })
}

/** `function name($p) >> Type { … }` */
export function functionDefinition(p: Cursor): FunctionDefinition {
  const word = p.next()
  const name = definedName(p)
  const parameters = parameterList(p)
  const returnType = optionalReturnType(p)
  const body = blockBody(p)
  return p.define({ kind: 'FunctionDefinition', span: p.span(word, body.span), name, parameters, returnType, body })
}

/** `plan name($p) { … }` */
export function planDefinition(p: Cursor): PlanDefinition {
  const word = p.next()
  const name = definedName(p)
  p.enclose(name)
  const parameters = parameterList(p)
  const body = blockBody(p)
  p.endEnclosure()
  const span = p.span(word, body.span)
  const named = { name: p.qualified(name), parameters, returnType: undefined, body }
  return p.define({ kind: 'PlanDefinition', span, ...named })
}

/** Parses the name in a definition, without checks; validation rejects invalid names. */
function definedName(p: Cursor): string {
  switch (p.kind) {
    case 'NAME':
    case 'WORD':
    case 'CLASSREF':
      return p.next().value
    case 'class':
      return p.fail(syntaxIssues.CLASS_KEYWORD_AS_NAME, {}, p.token)
    case 'STRING':
      return p.fail(syntaxIssues.QUOTED_NAME, {}, p.token)
    default:
      return p.unexpected()
  }
}

// ---- Nodes

const startsHost: ReadonlySet<TokenKind> = new Set<TokenKind>([
  ...(['NAME', 'NUMBER', 'STRING', 'WORD', 'DQPRE', 'HEREDOC', 'REGEX', 'default'] as const),
])

/** `node 'a', /b/, default { … }` */
export function nodeDefinition(p: Cursor): NodeDefinition {
  const word = p.next()
  const hostMatches = [host(p)]
  while (p.accept(',') && startsHost.has(p.kind)) hostMatches.push(host(p))
  const parent = p.accept('inherits') ? host(p) : undefined
  const body = blockBody(p)
  return p.define({ kind: 'NodeDefinition', span: p.span(word, body.span), hostMatches, parent, body })
}

function host(p: Cursor): Expression {
  switch (p.kind) {
    case 'NAME':
    case 'NUMBER':
      return dottedName(p)
    case 'STRING':
    case 'WORD':
      return literalString(p)
    case 'DQPRE':
      return interpolatedString(p)
    case 'HEREDOC':
      return heredoc(p)
    case 'REGEX': {
      const token = p.next()
      return { kind: 'LiteralRegexp', span: p.span(token), pattern: token.value }
    }
    case 'default':
      return { kind: 'LiteralDefault', span: p.span(p.next()) }
    default:
      return p.unexpected()
  }
}

/** Parses an unquoted host name such as `www.example.com`. */
function dottedName(p: Cursor): LiteralString {
  const first = p.next()
  let last = first
  let value = first.value
  while (p.accept('.')) {
    if (!p.at('NAME') && !p.at('NUMBER')) p.unexpected()
    last = p.next()
    value += `.${last.value}`
  }
  return { kind: 'LiteralString', span: p.span(first, last), value }
}

// ---- Types

/** `type Name = …`, `type Name { … }`, `type Name inherits Parent { … }`, `type Name[…] = …` */
export function typeDefinition(p: Cursor): TypeAlias | TypeDefinition | TypeMapping {
  const word = p.next()
  const name = qualifiedReference(p)
  if (p.at('{') || p.at('inherits')) return objectTypeDefinition(p, word, name)
  const left = p.at('[') ? typeAccess(p, name, false) : name
  p.expect('=')
  const type = assignedType(p, left.span)
  const span = p.span(left.span, type.span)
  if (left.kind === 'Access') return p.define({ kind: 'TypeMapping', span, type: left, mapping: type })
  return p.define({ kind: 'TypeAlias', span, name: left.casedValue, type })
}

function objectTypeDefinition(p: Cursor, word: Token, { casedValue: name }: QualifiedReference): TypeDefinition {
  const parent = p.accept('inherits') ? p.expect('CLASSREF').value : undefined
  const body = blockBody(p)
  return p.define({ kind: 'TypeDefinition', span: p.span(word, body.span), name, parent, body })
}

/** Parses the type of an alias. As in Puppet, the span of a type with keys is the span of its alias. */
function assignedType(p: Cursor, start: Span): Expression {
  if (p.at('{')) return objectType(hashLiteral(p))
  if (p.at('[') || p.at(' [')) return listLiteral(p)
  const type = qualifiedReference(p)
  if (p.at('[')) {
    const access = typeAccess(p, type, true)
    return { ...access, span: p.span(start, access.span) }
  }
  return p.at('{') ? inheritedType(type, hashLiteral(p)) : type
}

/** Converts `{ … }` as a type to `Object[{ … }]`. */
function objectType(hash: LiteralHash, name = 'Object'): Access {
  const left: QualifiedReference = { kind: 'QualifiedReference', span: hash.span, casedValue: name }
  return { kind: 'Access', span: hash.span, left, keys: [hash] }
}

/**
 * Converts `Parent { … }` as a type to `Object[{ …, parent => Parent }]`; `Object { … }` and
 * `TypeSet { … }` keep their name.
 */
function inheritedType(parent: QualifiedReference, hash: LiteralHash): Access {
  const { casedValue, span } = parent
  if (casedValue === 'Object' || casedValue === 'TypeSet') return objectType(hash, casedValue)
  const key = { kind: 'QualifiedName', span, value: 'parent' } as const
  return objectType({ ...hash, entries: [...hash.entries, { kind: 'KeyedEntry', span, key, value: parent }] })
}
