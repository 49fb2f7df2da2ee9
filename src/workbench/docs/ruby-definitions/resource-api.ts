import type { AttributeItem } from '../model.ts'
import { getLiteralText, type RubyCode } from '../ruby-source/ruby-code.ts'
import { listParts, type RubyNode } from '../ruby-source/ruby-tree.ts'
import { scrubText } from '../ruby-text.ts'
import { type Definition, getReceiverText, UnsupportedDefinition } from './definition.ts'
import { createAttribute, type OpenType } from './resource-types.ts'

/** A literal in the schema of a type. */
type SchemaValue = string | number | boolean | undefined | readonly SchemaValue[] | Schema
type Schema = ReadonlyMap<SchemaValue, SchemaValue>

/**
 * Reads `Puppet::ResourceApi.register_type`, whose arguments must be pairs of literals. Throws UnsupportedDefinition for
 * other arguments.
 */
export function readResourceApiType(definition: Definition, open: OpenType): void {
  if (getReceiverText(definition) !== 'Puppet::ResourceApi') return
  const { call, code } = definition
  const given = call.first
  if (given?.type !== 'list') throw new UnsupportedDefinition()
  const schema = readHash(given, code)
  const name = schema.get('name')
  if (typeof name !== 'string') throw new UnsupportedDefinition()
  const type = open(name, definition)
  const docs = schema.get('docs')
  if (docs !== undefined && docs !== false) type.setComment(scrubText(String(docs)))
  for (const [attribute, fields] of asHash(schema.get('attributes')) ?? []) {
    const read = readAttribute(String(attribute), asHash(fields) ?? new Map(), call.node.line)
    if (isParameter(fields)) type.addParameter(read)
    else type.addProperty(read)
  }
}

function asHash(value: SchemaValue): Schema | undefined {
  return value instanceof Map ? value : undefined
}

function isParameter(fields: SchemaValue): boolean {
  const behaviour = asHash(fields)?.get('behaviour')
  return behaviour === 'parameter' || behaviour === 'namevar'
}

function readAttribute(name: string, fields: Schema, line: number): AttributeItem {
  const [description, type, standard] = [fields.get('desc'), fields.get('type'), fields.get('default')]
  return {
    ...createAttribute(name, typeof description === 'string' ? description : '', line),
    dataType: typeof type === 'string' && type !== '' ? type : undefined,
    isNamevar: fields.get('behaviour') === 'namevar',
    default: Array.isArray(standard) ? formatList(standard) : (standard as AttributeItem['default']),
  }
}

function formatList(values: readonly SchemaValue[]): string {
  return `[${values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : (value ?? 'nil'))).join(', ')}]`
}

function readHash(node: RubyNode, code: RubyCode): Schema {
  return new Map(listParts(node).map((pair) => [readValue(pair.parts[0], code), readValue(pair.parts[1], code)]))
}

function readValue(node: RubyNode | undefined, code: RubyCode): SchemaValue {
  switch (node?.type) {
    case undefined:
      return undefined
    case 'int':
      return Number.parseInt(node.text?.replaceAll('_', '') ?? '', 10)
    case 'hash':
      return readHash(node, code)
    case 'array':
      // Only the first element, as in puppet-strings.
      return node.parts.slice(0, 1).map((part) => readValue(part, code))
    case 'var_ref':
      return readWord(node.parts[0])
    default: {
      const text = getLiteralText(code, node)
      if (text === undefined) throw new UnsupportedDefinition()
      return text
    }
  }
}

function readWord(word: RubyNode | undefined): SchemaValue {
  if (word?.type === 'kw' && word.text === 'true') return true
  if (word?.type === 'kw' && word.text === 'false') return false
  if (word?.type === 'kw' && word.text === 'nil') return undefined
  throw new UnsupportedDefinition()
}
