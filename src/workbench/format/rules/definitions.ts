import type { Expression, NodeOf, Parameter } from '../../../language/syntax/tree/nodes.ts'
import { concat, type Document, group, hardLine, indent, line } from '../layout/document.ts'
import { printBody } from './blocks.ts'
import type { FormatContext, Rules } from './context.ts'
import { listLayouts, printEntries } from './lists.ts'
import { printPair } from './pairs.ts'
import { parameterLayouts, printParameters, printReturnType, printSingleParameter } from './parameters.ts'

type DefinitionKind =
  | 'HostClassDefinition'
  | 'ResourceTypeDefinition'
  | 'NodeDefinition'
  | 'FunctionDefinition'
  | 'PlanDefinition'
  | 'TypeAlias'
  | 'TypeDefinition'
  | 'TypeMapping'
  | 'Parameter'

/** Rules for definitions. */
export const definitionRules: Rules<DefinitionKind> = {
  HostClassDefinition: printClassLike,
  ResourceTypeDefinition: printClassLike,
  PlanDefinition: printClassLike,
  FunctionDefinition: printFunction,
  NodeDefinition: printNode,
  TypeAlias: printTypeAlias,
  TypeDefinition: printObjectType,
  TypeMapping: (e, c) =>
    concat([c.take('type'), ' ', c.print(e.type), ' ', c.take('='), ' ', printAliasedType(e.mapping, c)]),
  Parameter: (e, c) => printSingleParameter(c, e),
}

function printClassLike(
  e: NodeOf<'HostClassDefinition' | 'ResourceTypeDefinition' | 'PlanDefinition'>,
  c: FormatContext,
): Document {
  const head = concat([c.take(), ' ', c.take()])
  const parameters = c.at('(') || c.at('\n(') ? concat([' ', printDefinitionParameters(e.parameters, c)]) : ''
  const parent = c.at('inherits') ? concat([' ', c.take(), ' ', c.take()]) : ''
  return concat([head, parameters, parent, ' ', printBody(c, e.body)])
}

function printDefinitionParameters(parameters: readonly Parameter[], c: FormatContext): Document {
  return printParameters(c, parameters, parameterLayouts.definition)
}

function printFunction(e: NodeOf<'FunctionDefinition'>, c: FormatContext): Document {
  const head = concat([c.take('function'), ' ', c.take()])
  const hasList = c.at('(') || c.at('\n(')
  const parameters = hasList ? printParameters(c, e.parameters, parameterLayouts.function) : ''
  return concat([head, parameters, printReturnType(c, e.returnType), ' ', printBody(c, e.body)])
}

function printNode(e: NodeOf<'NodeDefinition'>, c: FormatContext): Document {
  const head = concat([c.take('node'), ' '])
  const hosts = e.hostMatches.flatMap((host, index) => {
    if (index === 0) return [printHost(host, c)]
    const comma = c.take(',')
    return [comma, c.startsLine ? hardLine : line, printHost(host, c)]
  })
  // The grammar permits a comma after the last host.
  const list = group(indent(concat([...hosts, c.skip(',')])))
  const parent = e.parent ? concat([' ', c.take('inherits'), ' ', printHost(e.parent, c)]) : ''
  return concat([head, list, parent, ' ', printBody(c, e.body)])
}

/** Prints a host name; a name without quotes consists of several pieces, as in `www.example.com`. */
function printHost(host: Expression, c: FormatContext): Document {
  const parts = [c.print(host)]
  while (c.at('.')) parts.push(c.take('.'), c.take())
  return concat(parts)
}

function printTypeAlias(e: NodeOf<'TypeAlias'>, c: FormatContext): Document {
  return concat([c.take('type'), ' ', c.take('CLASSREF'), ' ', c.take('='), ' ', printAliasedType(e.type, c)])
}

/**
 * Prints the type of an alias. The parser turns `{ … }` into `Object[{ … }]`, and `Parent { … }` into an object type
 * with the additional key `parent`.
 */
function printAliasedType(type: Expression, c: FormatContext): Document {
  const hash = type.kind === 'Access' ? type.keys[0] : undefined
  if (hash?.kind !== 'LiteralHash') return c.print(type)
  if (c.at('{')) return c.print(hash)
  if (!c.isBefore('{')) return c.print(type)
  const name = c.take('CLASSREF')
  const written = hash.entries.filter(({ span }) => span.start >= hash.span.start)
  const print = (entry: NodeOf<'KeyedEntry'>) => printPair(c, () => c.print(entry.key), entry.value)
  return concat([name, ' ', printEntries(c, written, print, listLayouts.hash)])
}

function printObjectType(e: NodeOf<'TypeDefinition'>, c: FormatContext): Document {
  const head = concat([c.take('type'), ' ', c.take('CLASSREF')])
  const parent = c.at('inherits') ? concat([' ', c.take(), ' ', c.take('CLASSREF')]) : ''
  return concat([head, parent, ' ', printBody(c, e.body)])
}
