import type { AttributeItem } from '../model.ts'
import { getLiteralOrSource, getLiteralText } from '../ruby-source/ruby-code.ts'
import { type RubyCall, toRubyCall } from '../ruby-source/ruby-tree.ts'
import { scrubText } from '../ruby-text.ts'
import { type Definition, findDescription, findPairValue, getDefinedName, getReceiverText } from './definition.ts'
import type { TypeBuilder } from './type-builder.ts'

/** Description of `ensure` if the type does not describe it. puppet-strings: yard/handlers/ruby/type_handler.rb. */
const ensureDescription = 'The basic property that the resource should be in.'

/** Returns the builder of a type; a type that is new gets the comment above `definition`. */
export type OpenType = (name: string, definition: Definition) => TypeBuilder

/** Reads `Puppet::Type.newtype`. */
export function readType(definition: Definition, open: OpenType): void {
  const receiver = getReceiverText(definition)
  if (receiver !== 'Puppet::Type' && receiver !== 'Type') return
  const { call, code } = definition
  const type = open(getDefinedName(definition), definition)
  const description = findDescription(call.node, code)
  if (description !== undefined) type.setComment(description)
  for (const node of call.block ?? []) {
    const member = toRubyCall(node)
    if (member?.name !== undefined) addMember(type, member, definition)
  }
  type.setDefaultNamevar()
}

function addMember(type: TypeBuilder, member: RubyCall, { code }: Definition): void {
  const [first, second] = member.arguments
  const name = getLiteralText(code, first)
  if (member.name === 'ensurable') addEnsure(type, { call: member, code })
  if (name === undefined) return
  if (member.name === 'newproperty') type.addProperty(readAttribute(name, { call: member, code }))
  else if (member.name === 'newparam') type.addParameter(readAttribute(name, { call: member, code }, true))
  else if (member.name === 'newcheck') type.addCheck(readAttribute(name, { call: member, code }))
  else if (member.name === 'feature') {
    const description = getLiteralText(code, second)
    if (description !== undefined) type.addFeature({ name, description: scrubText(description).replaceAll('\n', ' ') })
  }
}

function addEnsure(type: TypeBuilder, definition: Definition): void {
  if (definition.call.block === undefined) {
    const values = ['present', 'absent']
    type.addProperty({
      ...createAttribute('ensure', ensureDescription, definition.call.node.line),
      values,
      default: 'present',
    })
    return
  }
  const property = readAttribute('ensure', definition)
  type.addProperty(property.description === '' ? { ...property, description: ensureDescription } : property)
}

/** Reads `Puppet::Type.type(:name).newparam`, and `newproperty` and `ensurable` called in this way. */
export function readTypeAddition(definition: Definition, open: OpenType): void {
  const { call, code } = definition
  const inner = toRubyCall(call.receiver)
  const receiver = inner?.receiver && code.getSource(inner.receiver)
  if (inner?.name !== 'type' || (receiver !== 'Puppet::Type' && receiver !== 'Type')) return
  const typeName = getDefinedName({ call: inner, code })
  const name = call.name === 'ensurable' ? 'ensure' : getDefinedName(definition)
  const type = open(typeName, definition)
  if (call.name === 'newparam') type.addParameter(readAttribute(name, definition, true))
  else type.addProperty(readAttribute(name, definition))
  type.setDefaultNamevar()
}

/** An attribute without values. */
export function createAttribute(name: string, description: string, line?: number): AttributeItem {
  return {
    name,
    line,
    description,
    values: [],
    dataType: undefined,
    aliases: new Map(),
    isNamevar: false,
    requiredFeatures: undefined,
    default: undefined,
  }
}

function readAttribute(name: string, definition: Definition, isParameter = false): AttributeItem {
  const { call, code } = definition
  const attribute = createAttribute(name, findDescription(call.node, code) ?? '', call.node.line)
  // Without a block, its options are not read either, as in puppet-strings.
  if (call.block === undefined) return attribute
  const values: string[] = []
  const aliases = new Map<string, string>()
  let { isNamevar, default: standard } = attribute
  for (const node of call.block) {
    const setter = toRubyCall(node)
    const given = (setter?.arguments ?? []).map((each) => getLiteralOrSource(code, each))
    const [first, second] = given
    if (setter?.name === 'newvalue' && first !== undefined) values.push(first)
    else if (setter?.name === 'newvalues') values.push(...given)
    else if (setter?.name === 'aliasvalue' && first !== undefined && second !== undefined) {
      if (!values.includes(first)) values.push(first)
      aliases.set(first, second)
    } else if (setter?.name === 'defaultto' && first !== undefined) standard = first
    else if (setter?.name === 'isnamevar') isNamevar = true
    else if (setter?.name === 'defaultvalues' && name === 'ensure') {
      values.push('present', 'absent')
      standard = 'present'
    }
  }
  const options = call.arguments[1]
  const parent = findPairValue(options, 'parent', code)
  if (isParameter && parent && code.getSource(parent) === 'Puppet::Parameter::Boolean')
    values.push(...['true', 'false', 'yes', 'no'].filter((value) => !values.includes(value)))
  const requiredFeatures = getLiteralText(code, findPairValue(options, 'required_features', code))
  return { ...attribute, values, aliases, isNamevar, requiredFeatures, default: standard }
}
