import { getLineAndColumn, type SourceSpan } from '../../base/source.ts'
import { isMatch } from '../../language/ruby-semantics/regexp/match.ts'
import type {
  Expression,
  FunctionDefinition,
  NodeDefinition,
  Program,
  TypeAlias,
} from '../../language/syntax/tree/nodes.ts'
import { findBuiltinType } from '../../language/types/builtin-types.ts'
import { Regexp } from '../../language/values/regexp.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import { issues } from '../request/issues.ts'
import { appendLocation } from '../request/message-locations.ts'
import {
  type CodeDefinition,
  createCodeDefinition,
  createNodeDefinition,
  defaultNode,
  normalizeName,
} from './code-definition.ts'
import { nativeTypes } from './native-types.ts'

/** Definitions in loaded files, by kind and name. */
export class DefinitionTable {
  readonly classes = new Map<string, CodeDefinition>()
  readonly defines = new Map<string, CodeDefinition>()
  readonly functions = new Map<string, FunctionDefinition>()
  readonly aliases = new Map<string, TypeAlias>()
  readonly #nodes = new Map<string, CodeDefinition>()
  #redefined: { readonly name: string; readonly origin: string } | undefined

  /**
   * Adds the definitions of a file and returns its classes and defined types. Throws
   * DUPLICATE_DEFINITION or REDEFINED_TYPE.
   */
  add({ definitions }: Program, moduleName: string): CodeDefinition[] {
    const added: CodeDefinition[] = []
    for (const definition of definitions) {
      if (definition.kind === 'HostClassDefinition')
        added.push(this.#addClass(createCodeDefinition(definition, moduleName)))
      else if (definition.kind === 'ResourceTypeDefinition')
        added.push(this.#addDefine(createCodeDefinition(definition, moduleName)))
      else if (definition.kind === 'NodeDefinition') this.#addNodes(definition, moduleName)
      else if (definition.kind === 'FunctionDefinition') this.functions.set(normalizeName(definition.name), definition)
      else if (definition.kind === 'TypeAlias') this.#addAlias(definition)
    }
    return added
  }

  get hasNodes(): boolean {
    return this.#nodes.size > 0
  }

  get nodeNames(): readonly string[] {
    return [...this.#nodes.keys()]
  }

  /** Finds the definition for a node: by its name, by the first matching pattern, or the definition `default`. */
  node(name: string): CodeDefinition | undefined {
    return this.#nodeNamed(name.toLowerCase()) ?? this.#nodeNamed(defaultNode)
  }

  #nodeNamed(name: string): CodeDefinition | undefined {
    const named = this.#nodes.get(name)
    if (named) return named
    for (const node of this.#nodes.values()) if (node.pattern && isMatch(node.pattern, name)) return node
    return undefined
  }

  /** Keeps the first alias with a name; records a second alias with the name as an error without a location. */
  #addAlias(definition: TypeAlias): void {
    const name = normalizeName(definition.name)
    const known = this.aliases.get(name)
    if (known) this.#redefined ??= { name, origin: `Originally set at ${formatDefinitionLocation(known.span)}.` }
    else if (findBuiltinType(name)) this.#redefined ??= { name, origin: originOfBuiltin }
    else if (nativeTypes.has(name)) this.#redefined ??= { name, origin: 'Set at unknown location' }
    else this.aliases.set(name, definition)
  }

  /** Throws REDEFINED_TYPE if a type was defined twice. */
  checkAliases(): void {
    if (this.#redefined) failWithoutLocation(issues.REDEFINED_TYPE, this.#redefined)
  }

  #addClass(definition: CodeDefinition): CodeDefinition {
    const { name } = definition
    checkDuplicateDefinition(
      definition,
      this.classes.get(name),
      (at) => `Class '${name}' is already defined${at}; cannot redefine`,
    )
    checkDuplicateDefinition(
      definition,
      this.#nodes.get(name),
      (at) => `Node '${name}' is already defined${at}; cannot be redefined as a class`,
    )
    checkDuplicateDefinition(
      definition,
      this.defines.get(name),
      (at) => `Definition '${name}' is already defined${at}; cannot be redefined as a class`,
    )
    this.classes.set(name, definition)
    return definition
  }

  #addDefine(definition: CodeDefinition): CodeDefinition {
    const { name } = definition
    checkDuplicateDefinition(
      definition,
      this.classes.get(name),
      (at) => `'${name}' is already defined${at} as a class; cannot redefine as a definition`,
    )
    const known = this.defines.get(name)
    if (known)
      failWithoutLocation(issues.REDEFINED_TYPE, {
        name,
        origin: `Originally set at ${formatDefinitionLocation(known.span!)}.`,
      })
    this.defines.set(name, definition)
    return definition
  }

  #addNodes(node: NodeDefinition, moduleName: string): void {
    for (const { name, pattern } of node.hostMatches.map(getNodeName)) {
      const definition = createNodeDefinition(node, name, pattern, moduleName)
      checkDuplicateDefinition(
        definition,
        this.#nodes.get(name),
        (at) => `Node '${name}' is already defined${at}; cannot redefine`,
      )
      checkDuplicateDefinition(
        definition,
        this.classes.get(name),
        (at) => `Class '${name}' is already defined${at}; cannot be redefined as a node`,
      )
      this.#nodes.set(name, definition)
    }
  }
}

const originOfBuiltin = 'Originally set by Puppet-Type-System/Static-Loader.'

/** Location of a definition in Puppet's format. Puppet: locator.rb, `to_uri`. */
export function formatDefinitionLocation({ source, start }: SourceSpan): string {
  const { line, column } = getLineAndColumn(source, start)
  const file = source.file === undefined ? 'string:' : `file:${source.file}`
  return `${file}?line=${line}&pos=${column}`
}

function checkDuplicateDefinition(
  definition: CodeDefinition,
  known: CodeDefinition | undefined,
  message: (at: string) => string,
): void {
  if (!known) return
  const said = message(appendLocation('', known.span))
  failWithoutLocation(issues.DUPLICATE_DEFINITION, { message: appendLocation(said, definition.span) })
}

/** The signs of groups that look ahead or behind, as letters in names. OpenVox: Resource::Type, LOOKAROUND_OPERATORS. */
const groupSigns: Readonly<Record<string, string>> = {
  '(': 'lp',
  '?': 'qu',
  '<': 'lt',
  '>': 'gt',
  '!': 'ex',
  '=': 'eq',
  ')': 'rp',
}

/** Replaces the signs of each group that begins with `(?`, up to the next parenthesis, by letters. */
function spellGroupSigns(pattern: string): string {
  let result = ''
  let from = 0
  for (let start = pattern.indexOf('(?'); start >= 0; start = pattern.indexOf('(?', from)) {
    const end = pattern.indexOf(')', start)
    if (end < 0) break
    const group = Array.from(pattern.slice(start, end + 1), (sign) => groupSigns[sign] ?? sign).join('')
    result += pattern.slice(from, start) + group
    from = end + 1
  }
  return result + pattern.slice(from)
}

/**
 * Returns the name of a node definition. For a regular expression, the name is derived from the pattern; patterns that
 * differ only in the kind of a group have different names. Puppet: Resource::Type#name.
 */
function getNodeName(host: Expression): { name: string; pattern: Regexp | undefined } {
  if (host.kind === 'LiteralRegexp') {
    const name = spellGroupSigns(host.pattern.toLowerCase())
      .replace(/[^-\w:.]/g, '')
      .replace(/^\.+/, '')
    return { name: `__node_regexp__${name}`, pattern: new Regexp(host.pattern) }
  }
  if (host.kind === 'LiteralDefault') return { name: defaultNode, pattern: undefined }
  const text = 'value' in host ? String(host.value) : ''
  return { name: text.toLowerCase(), pattern: undefined }
}
