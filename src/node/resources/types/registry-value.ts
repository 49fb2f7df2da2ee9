import { parseStrictInteger } from '../../../language/ruby-semantics/numbers/number-parsing.ts'
import { Float } from '../../../language/values/float.ts'
import type { Value } from '../../../language/values/value.ts'
import { createEnumKind, createListKind, createParsedKind, failMunging, toPlainText } from '../attribute-kinds.ts'
import { failWithMessage } from '../issues.ts'
import type { ManagedResource } from '../managed-resource.ts'
import { defineEnsure, defineNamevar, defineProperty, defineType } from '../type.ts'
import { formatLogValue } from '../value-format.ts'
import { listAncestors, registryValueKind } from './registry-path.ts'

/** Data of a value: text, bytes in hexadecimal notation, or a number. */
export type RegistryDatum = string | bigint

/** Values of the attribute before the type of the value is known. */
const dataKind = createListKind(createParsedKind((value: Value): unknown => value))

const joinData = (data: unknown): string => (Array.isArray(data) ? data.join(',') : String(data))

/** The resource type `registry_value` of the module registry: values of keys of the registry of Windows. */
export const registryValue = defineType('registry_value', {
  doc: 'Manages registry values on Windows systems.',
  attributes: {
    path: defineNamevar(
      registryValueKind,
      'The path of the value: the key and the name; `KEY\\\\` and a name with backslashes, or `KEY\\` for the default value.',
    ),
    ensure: defineEnsure('`present` writes the value, `absent` removes it.'),
    type: defineProperty(
      createEnumKind('string', 'array', 'dword', 'qword', 'binary', 'expand'),
      'The type of the data.',
      {
        default: 'string',
      },
    ),
    data: defineProperty(dataKind, 'The data: text, a number, bytes in hexadecimal notation, or an array of texts.', {
      default: (resource) => (isNumberType(resource) ? undefined : ['']),
      show: (is) => (is === 'absent' ? 'absent' : formatLogValue(joinData(is))),
      showWanted: (should) => formatLogValue(joinData(should)),
      inSync: (is, should) =>
        Array.isArray(is) && is.length === should.length && is.every((each, index) => each === should[index]),
    }),
  },
  aliases: (resource) => [resource.name.toLowerCase()],
  autorequire: {
    registry_key: (resource, catalog) => [
      listAncestors(resource.name).find((path) => catalog.has('registry_key', path)),
    ],
  },
  complete(resource) {
    const data = resource.get('data')
    if (!data) return
    const type = resource.get('type') ?? 'string'
    resource.put(
      'data',
      data.map((value) => convertDatum(resource, type, value as Value)),
    )
  },
  validate(resource) {
    if (!resource.has('data')) failWithMessage("No value supplied for required property 'data'")
  },
})

/** Attributes of the type `registry_value`. */
export type RegistryValueAttributes = (typeof registryValue)['attributes']

const isNumberType = (resource: ManagedResource) => ['dword', 'qword'].includes(String(resource.value('type')))

function convertDatum(resource: ManagedResource<RegistryValueAttributes>, type: string, value: Value): RegistryDatum {
  const fail = (why: string) => resource.failAttribute('data', `Validate method failed for class data: ${why}`)
  const text = toPlainText(value)
  switch (type) {
    case 'array':
      return text === '' ? fail('An array registry value can not contain empty values') : text
    case 'dword':
      return toNumber(value, 32n) ?? fail(`The data must be a valid DWORD: received '${text}'`)
    case 'qword':
      return toNumber(value, 64n) ?? fail(`The data must be a valid QWORD: received '${text}'`)
    case 'binary': {
      if (typeof value === 'number' && value > 9)
        failMunging('data', value, "undefined method `gsub' for an instance of Integer")
      const bare = text.replace(/\s+/g, '')
      const digits = text.length === 1 ? `0${bare}` : bare
      if (text !== '' && !/^(?:[0-9a-f]{2})+$/i.test(digits)) {
        fail(`The data must be a hex encoded string of the form: '00 01 02 ...': received '${text}'`)
      }
      return digits.toLowerCase().replace(/..(?=.)/g, '$& ')
    }
    default:
      return text
  }
}

/** An integer as Ruby's `Integer()` reads it, if its absolute value fits into the bits. */
function toNumber(value: Value, bits: bigint): bigint | undefined {
  const plain = value instanceof Float ? Math.trunc(value.value) : value
  const number = typeof plain === 'string' ? parseStrictInteger(plain) : plain
  if (typeof number !== 'bigint' && !(typeof number === 'number' && Number.isFinite(number))) return undefined
  const whole = BigInt(number)
  return (whole < 0n ? -whole : whole) >> bits === 0n ? whole : undefined
}
