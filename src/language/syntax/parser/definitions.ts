import type { SourceSpan } from '../../../base/source.ts'
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
import type { TokenCursor } from './cursor.ts'
import { hashLiteral, listLiteral } from './lists.ts'
import { optionalReturnType, parameterList, qualifiedReference, typeAccess } from './parameters.ts'
import { heredoc, interpolatedString, literalString } from './strings.ts'

/** Parses `class name($p) inherits parent { … }`. */
export function classDefinition(p: TokenCursor): HostClassDefinition {
  const word = p.next()
  const name = definitionName(p)
  p.enclose(name)
  const parameters = parameterList(p)
  const parentClass = p.accept('inherits') ? (p.accept('default')?.value ?? definitionName(p)) : undefined
  const body = blockBody(p)
  p.endEnclosure()
  const span = p.span(word, body.span)
  return p.define({ kind: 'HostClassDefinition', span, name: p.qualified(name), parameters, parentClass, body })
}

/** Parses `define name($p) { … }`. */
export function resourceTypeDefinition(p: TokenCursor): ResourceTypeDefinition {
  const word = p.next()
  const name = definitionName(p)
  const parameters = parameterList(p)
  const body = blockBody(p)
  const span = p.span(word, body.span)
  return p.define({ kind: 'ResourceTypeDefinition', span, name: p.qualified(name), parameters, body })
}

/** Parses `function name($p) >> Type { … }`. */
export function functionDefinition(p: TokenCursor): FunctionDefinition {
  const word = p.next()
  const name = definitionName(p)
  const parameters = parameterList(p)
  const returnType = optionalReturnType(p)
  const body = blockBody(p)
  return p.define({ kind: 'FunctionDefinition', span: p.span(word, body.span), name, parameters, returnType, body })
}

/** Parses `plan name($p) { … }`. */
export function planDefinition(p: TokenCursor): PlanDefinition {
  const word = p.next()
  const name = definitionName(p)
  p.enclose(name)
  const parameters = parameterList(p)
  const body = blockBody(p)
  p.endEnclosure()
  const span = p.span(word, body.span)
  const named = { name: p.qualified(name), parameters, returnType: undefined, body }
  return p.define({ kind: 'PlanDefinition', span, ...named })
}

/** Parses the name in a definition, without checks; validation rejects invalid names. */
function definitionName(p: TokenCursor): string {
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

/** Parses `node 'a', /b/, default { … }`. */
export function nodeDefinition(p: TokenCursor): NodeDefinition {
  const word = p.next()
  const hostMatches = [hostMatch(p)]
  while (p.accept(',') && startsHost.has(p.kind)) hostMatches.push(hostMatch(p))
  const parent = p.accept('inherits') ? hostMatch(p) : undefined
  const body = blockBody(p)
  return p.define({ kind: 'NodeDefinition', span: p.span(word, body.span), hostMatches, parent, body })
}

function hostMatch(p: TokenCursor): Expression {
  switch (p.kind) {
    case 'NAME':
    case 'NUMBER':
      return hostName(p)
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
function hostName(p: TokenCursor): LiteralString {
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

/** Parses `type Name = …`, `type Name { … }`, `type Name inherits Parent { … }` or `type Name[…] = …`. */
export function typeDefinition(p: TokenCursor): TypeAlias | TypeDefinition | TypeMapping {
  const word = p.next()
  const name = qualifiedReference(p)
  if (p.at('{') || p.at('inherits')) return objectTypeDefinition(p, word, name)
  const left = p.at('[') ? typeAccess(p, name, false) : name
  p.expect('=')
  const type = typeAssignment(p, left.span)
  const span = p.span(left.span, type.span)
  if (left.kind === 'Access') return p.define({ kind: 'TypeMapping', span, type: left, mapping: type })
  return p.define({ kind: 'TypeAlias', span, name: left.casedValue, type })
}

function objectTypeDefinition(p: TokenCursor, word: Token, { casedValue: name }: QualifiedReference): TypeDefinition {
  const parent = p.accept('inherits') ? p.expect('CLASSREF').value : undefined
  const body = blockBody(p)
  return p.define({ kind: 'TypeDefinition', span: p.span(word, body.span), name, parent, body })
}

/** Parses the type of an alias. As in Puppet, the span of a type with keys is the span of its alias. */
function typeAssignment(p: TokenCursor, start: SourceSpan): Expression {
  if (p.at('{')) return toObjectType(hashLiteral(p))
  if (p.at('[') || p.at(' [')) return listLiteral(p)
  const type = qualifiedReference(p)
  if (p.at('[')) {
    const access = typeAccess(p, type, true)
    return { ...access, span: p.span(start, access.span) }
  }
  return p.at('{') ? toChildObjectType(type, hashLiteral(p)) : type
}

/** Converts `{ … }` as a type to `Object[{ … }]`. */
function toObjectType(hash: LiteralHash, name = 'Object'): Access {
  const left: QualifiedReference = { kind: 'QualifiedReference', span: hash.span, casedValue: name }
  return { kind: 'Access', span: hash.span, left, keys: [hash] }
}

/**
 * Converts `Parent { … }` as a type to `Object[{ …, parent => Parent }]`; `Object { … }` and
 * `TypeSet { … }` keep their name.
 */
function toChildObjectType(parent: QualifiedReference, hash: LiteralHash): Access {
  const { casedValue, span } = parent
  if (casedValue === 'Object' || casedValue === 'TypeSet') return toObjectType(hash, casedValue)
  const key = { kind: 'QualifiedName', span, value: 'parent' } as const
  return toObjectType({ ...hash, entries: [...hash.entries, { kind: 'KeyedEntry', span, key, value: parent }] })
}
