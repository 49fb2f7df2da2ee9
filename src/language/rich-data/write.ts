import { createDiagnostic, type Diagnostic, isIssue, PuppetError } from '../../base/issue.ts'
import { createExactFloat, createExactObject, type ExactJson } from '../../base/json/exact-json.ts'
import { encodeLosslessUtf8, toUnicodeText } from '../../base/text/byte-text.ts'
import { createLiteralStringType, createOptionalType } from '../types/constructors.ts'
import { getAttributes } from '../types/objects/object-inheritance.ts'
import { getTypeFields } from '../types/objects/type-fields.ts'
import { capitalizeSegments } from '../types/printing/print.ts'
import { toText } from '../types/printing/text.ts'
import { Binary } from '../values/binary.ts'
import { Callable } from '../values/callable.ts'
import { Float } from '../values/float.ts'
import { Hash } from '../values/hash.ts'
import { isSameKey } from '../values/hash-key.ts'
import { IteratorValue } from '../values/iterator.ts'
import { ObjectValue } from '../values/object.ts'
import { Regexp } from '../values/regexp.ts'
import { SemVer, SemVerRange } from '../values/semver.ts'
import { Sensitive } from '../values/sensitive.ts'
import { Timespan, Timestamp } from '../values/time.ts'
import { isType, type StructElement, type Type } from '../values/type.ts'
import { Uri } from '../values/uri.ts'
import { DEFAULT, type Value } from '../values/value.ts'
import { richDataIssues as issues } from './issues.ts'

/** Options for converting values to JSON. */
export interface RichDataOptions {
  /** True to tag values (`__ptype`), false to convert them to strings. */
  readonly richData: boolean
  /**
   * Treatment of strings that are not UTF-8: `refused` throws (the default), `binary` writes a Binary (base64 without
   * rich data), `escaped` writes JSON with escaped bytes (base/text/byte-text.ts).
   */
  readonly bytes?: 'refused' | 'binary' | 'escaped'
  /** Location of the value in messages: `File[/x]['content']`. */
  readonly path?: string
  /** Receives warnings about values converted to strings. If absent, such values are errors, as in Puppet 8. */
  readonly warn?: (diagnostic: Diagnostic) => void
}

/** Converts a value to the JSON of a catalog (protocol.md 6). Puppet: serialization/to_data_converter.rb. */
export function toRichData(value: Value, options: RichDataOptions = { richData: true }): ExactJson {
  return typeof value === 'string' && value.isWellFormed() ? value : new Writer(options).write(value)
}

/** True if the error reports a string that is not UTF-8. */
export function isNotUtf8(error: unknown): boolean {
  return isIssue(error, issues.SERIALIZATION_NOT_UTF8)
}

/** Text of a reference as in catalogs: `File[/x]`, `Class[A::B]`; `undefined` for other values. */
export function formatReference(value: Value): string | undefined {
  if (!isType(value)) return undefined
  if (value.kind === 'Resource' && value.typeName !== undefined && value.title !== undefined)
    return `${capitalizeSegments(value.typeName)}[${value.typeName === 'class' ? capitalizeSegments(value.title) : value.title}]`
  if (value.kind === 'Class' && value.className !== undefined) return `Class[${capitalizeSegments(value.className)}]`
  return undefined
}

// biome-ignore lint/suspicious/noExplicitAny: constructors of every shape
const byText: readonly (readonly [string, { [Symbol.hasInstance](value: any): boolean }])[] = [
  ['Binary', Binary],
  ['SemVer', SemVer],
  ['SemVerRange', SemVerRange],
  ['Timespan', Timespan],
  ['Timestamp', Timestamp],
  ['URI', Uri],
]

function isNamedType({ kind }: Type): boolean {
  return kind === 'TypeAlias' || kind === 'Object'
}

/**
 * Name of a type's kind: the name of its Puppet class without the last four letters, also for `PObjectTypeExtension`.
 */
function getKindName(type: Type): string {
  return type.kind === 'Object' && type.parameters ? 'ObjectTypeExten' : type.kind
}

class Writer {
  readonly #options: RichDataOptions
  readonly #path: (string | number)[] = []
  /** Types being written; detects aliases and Object types that refer to themselves. */
  readonly #named: Type[] = []

  constructor(options: RichDataOptions) {
    this.#options = options
  }

  write(value: Value): ExactJson {
    if (value === undefined) return null
    if (typeof value === 'string') return this.#writeString(value)
    if (typeof value !== 'object') return value
    if (Array.isArray(value)) return value.map((each, index) => this.#within(index, each))
    if (value instanceof Float) return createExactFloat(value.value)
    if (value instanceof Hash) return this.#writeHash(value)
    if (value instanceof Sensitive) return { __ptype: 'Sensitive', __pvalue: this.write(value.unwrap()) }
    if (value instanceof IteratorValue) return this.write([...value])
    const reference = formatReference(value)
    if (reference !== undefined) return reference
    return this.#options.richData && !(value instanceof Callable) ? this.#writeTagged(value) : this.#writeText(value)
  }

  #writeString(text: string): ExactJson {
    const { bytes = 'refused', richData } = this.#options
    const unicode = bytes === 'escaped' ? text : toUnicodeText(text)
    if (unicode !== undefined) return unicode
    if (bytes === 'binary') {
      const binary = new Binary(encodeLosslessUtf8(text))
      return richData ? this.#writeTagged(binary) : String(binary)
    }
    throw new PuppetError(createDiagnostic(issues.SERIALIZATION_NOT_UTF8, { path: this.#pathText() }))
  }

  #within(key: string | number, value: Value): ExactJson {
    this.#path.push(key)
    const json = this.write(value)
    this.#path.pop()
    return json
  }

  #writeHash(hash: Hash): ExactJson {
    const plain = hash.keys().every((key) => typeof key === 'string' && key !== '__ptype' && key.isWellFormed())
    if (!plain && this.#options.richData) {
      const pairs = [...hash].flatMap(([key, value]) => [this.write(key), this.#within(toText(key), value)])
      return { __ptype: 'Hash', __pvalue: pairs }
    }
    const entries = Array.from(hash, ([key, value]) => {
      const name = typeof key === 'string' ? String(this.#writeString(key)) : this.#keyText(key)
      return [name, this.#within(name, value)] as const
    })
    return createExactObject(entries)
  }

  #writeTagged(value: Value): ExactJson {
    if (value === DEFAULT) return { __ptype: 'Default' }
    if (value instanceof Regexp) return { __ptype: 'Regexp', __pvalue: value.bare }
    if (value instanceof ObjectValue) return this.#writeObject(value)
    if (isType(value)) return this.#writeType(value)
    const tag = byText.find(([, type]) => type[Symbol.hasInstance](value))?.[0]
    return tag === undefined ? this.#writeText(value) : { __ptype: tag, __pvalue: String(value) }
  }

  /** Attributes in the order of the constructor, without defaults at the end. */
  #writeObject({ type, attributes }: ObjectValue): ExactJson {
    const settable = [...getAttributes(type).values()].filter(({ kind }) => kind !== 'constant' && kind !== 'derived')
    const required = settable.filter(({ hasValue }) => !hasValue)
    const ordered = [...required, ...settable.filter(({ hasValue }) => hasValue)]
    let count = ordered.length
    while (count > required.length && isSameKey(attributes.get(ordered[count - 1]!.name), ordered[count - 1]!.value))
      count--
    const fields = ordered.slice(0, count).map(({ name }) => [name, this.#within(name, attributes.get(name))] as const)
    return { __ptype: type.name ?? 'Object', ...Object.fromEntries(fields) }
  }

  #writeType(type: Type): ExactJson {
    if (isNamedType(type) && this.#named.includes(type)) this.#fail(`Puppet::Pops::Types::P${type.kind}Type`)
    if (type.kind === 'Struct')
      return { __ptype: 'Pcore::StructType', elements: type.elements.map((each) => this.#writeElement(each)) }
    this.#named.push(type)
    const fields = getTypeFields(type).map(([name, value]) => [name, this.#writeField(value)] as const)
    this.#named.pop()
    return { __ptype: `Pcore::${getKindName(type)}Type`, ...Object.fromEntries(fields) }
  }

  #writeElement({ name, optional, value }: StructElement): ExactJson {
    const key = createLiteralStringType(name)
    return {
      __ptype: 'Pcore::StructElement',
      key_type: this.#writeType(optional ? createOptionalType(key) : key),
      value_type: this.#writeType(value),
    }
  }

  /** Inside a type, references are written like other types. */
  #writeField(value: Value): ExactJson {
    if (Array.isArray(value)) return value.map((each) => this.#writeField(each))
    return isType(value) ? this.#writeType(value) : this.write(value)
  }

  #fail(typeName: string): never {
    throw new PuppetError(createDiagnostic(issues.SERIALIZATION_ENDLESS_RECURSION, { typeName }))
  }

  #writeText(value: Value): string {
    const path = this.#pathText()
    if (value === DEFAULT) {
      this.#tell(createDiagnostic(issues.SERIALIZATION_DEFAULT_CONVERTED_TO_STRING, { path }))
      return 'default'
    }
    const text = toText(value)
    this.#tell(createDiagnostic(issues.SERIALIZATION_UNKNOWN_CONVERTED_TO_STRING, { path, value, text }))
    return text
  }

  #keyText(key: Value): string {
    const text = toText(key)
    this.#tell(
      createDiagnostic(issues.SERIALIZATION_UNKNOWN_KEY_CONVERTED_TO_STRING, {
        path: this.#pathText(),
        value: key,
        text,
      }),
    )
    return text
  }

  #tell(diagnostic: Diagnostic): void {
    if (!this.#options.warn) throw new PuppetError(diagnostic)
    this.#options.warn({ ...diagnostic, severity: 'warning' })
  }

  #pathText(): string {
    const steps = this.#path.map((key) => (typeof key === 'number' ? `[${key}]` : `['${key}']`))
    return (this.#options.path ?? '') + steps.join('')
  }
}
