import { encodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { checkRegexp } from '../../ruby-semantics/regexp/match.ts'
import type { UriParts } from '../../ruby-semantics/uri/uri-parts.ts'
import { Binary } from '../../values/binary.ts'
import type { Hash } from '../../values/hash.ts'
import { Regexp } from '../../values/regexp.ts'
import { SemVer, SemVerRange } from '../../values/semver.ts'
import { Sensitive } from '../../values/sensitive.ts'
import { Uri } from '../../values/uri.ts'
import type { Value } from '../../values/value.ts'
import type { NewFunction } from './new-function.ts'
import { STRING_FORMAT, VERSION_QUALIFIER, VERSION_TEXT } from './patterns.ts'
import { createString } from './string.ts'

/** Implements `String.new`. */
export const newText: NewFunction = {
  name: 'new_string',
  types: {
    Format: `Pattern[/${STRING_FORMAT}/]`,
    ContainerFormat:
      'Struct[{Optional[format] => Format, Optional[separator] => String, Optional[separator2] => String, Optional[string_formats] => Hash[Type, Format]}]',
    TypeMap: 'Hash[Type, Variant[Format, ContainerFormat]]',
    Convertible: 'Any',
    Formats: 'Variant[Default, String[1], TypeMap]',
  },
  dispatches: [
    {
      parameters: ['Convertible from', 'Formats string_formats?'],
      run: ([from, formats]) => createString(from, formats),
    },
  ],
}

/** Implements `Regexp.new`. */
export const newRegexp: NewFunction = {
  name: 'new_float',
  dispatches: [
    {
      parameters: ['String pattern', 'Boolean escape?'],
      run: ([pattern, escaped]: readonly [string, boolean?]) => {
        const source = escaped ? pattern.replace(/[.*?+^$|\\()[\]{}\- ]/g, '\\$&') : pattern
        checkRegexp(source)
        return new Regexp(source)
      },
    },
  ],
}

/** Implements `SemVer.new`. */
export const newSemVer: NewFunction = {
  name: 'new_Version',
  types: {
    PositiveInteger: 'Integer[0,default]',
    SemVerQualifier: `Pattern[/${VERSION_QUALIFIER}/]`,
    SemVerPattern: `Pattern[/${VERSION_TEXT}/]`,
    SemVerHash:
      'Struct[{major=>PositiveInteger,minor=>PositiveInteger,patch=>PositiveInteger,Optional[prerelease]=>SemVerQualifier,Optional[build]=>SemVerQualifier}]',
  },
  dispatches: [
    {
      parameters: ['SemVerPattern str'],
      run: ([text]) =>
        SemVer.parse(text) ?? throwArgumentError('Numeric pre-release identifiers MUST NOT contain leading zeroes'),
    },
    {
      parameters: [
        'PositiveInteger major',
        'PositiveInteger minor',
        'PositiveInteger patch',
        'SemVerQualifier prerelease?',
        'SemVerQualifier build?',
      ],
      run: ([major, minor, patch, prerelease, build]) => createSemVer(major, minor, patch, prerelease, build),
    },
    {
      parameters: ['SemVerHash hash_args'],
      run: ([hash]: readonly Hash[]) => {
        const getField = (name: string) => hash!.get(name) as never
        return createSemVer(
          getField('major'),
          getField('minor'),
          getField('patch'),
          getField('prerelease'),
          getField('build'),
        )
      },
    },
  ],
  mismatch: (args) =>
    args.length === 1 && typeof args[0] === 'string'
      ? `The string '${args[0]}' cannot be converted to a SemVer`
      : undefined,
}

function createSemVer(major: number, minor: number, patch: number, prerelease?: string, build?: string): SemVer {
  return new SemVer(
    major,
    minor,
    patch,
    prerelease === undefined ? [] : [prerelease],
    build === undefined ? [] : [build],
  )
}

/** Implements `SemVerRange.new`. */
export const newSemVerRange: NewFunction = {
  name: 'new_VersionRange',
  types: {
    SemVerRangeString: 'String[1]',
    SemVerRangeHash:
      'Struct[{min=>Variant[Default,SemVer],Optional[max]=>Variant[Default,SemVer],Optional[exclude_max]=>Boolean}]',
  },
  dispatches: [
    {
      parameters: ['SemVerRangeString str'],
      run: ([text]) => SemVerRange.parse(text) ?? throwArgumentError(`Unparsable version range: "${text}"`),
    },
    {
      parameters: ['Variant[Default,SemVer] min', 'Variant[Default,SemVer] max', 'Boolean exclude_max?'],
      run: ([min, max, excludeMax]) => createRange(min, max, excludeMax),
    },
    {
      parameters: ['SemVerRangeHash hash_args'],
      run: ([hash]: readonly Hash[]) => createRange(hash!.get('min'), hash!.get('max'), hash!.get('exclude_max')),
    },
  ],
}

function createRange(min: Value, max: Value, excludeMax: Value): SemVerRange {
  const from = min instanceof SemVer ? min : new SemVer(0, 0, 0)
  if (max instanceof SemVer) return SemVerRange.between(from, max, excludeMax === true)
  return SemVerRange.parse(`>=${from}`)!
}

/** Implements `Binary.new`. */
export const newBinary: NewFunction = {
  name: 'new_Binary',
  types: {
    ByteInteger: 'Integer[0,255]',
    Base64Format: 'Enum["%b", "%u", "%B", "%s", "%r"]',
    StringHash: 'Struct[{value => String, "format" => Optional[Base64Format]}]',
    ArrayHash: 'Struct[{value => Array[ByteInteger]}]',
    BinaryArgsHash: 'Variant[StringHash, ArrayHash]',
  },
  dispatches: [
    { parameters: ['String str', 'Base64Format format?'], run: ([text, format]) => toBinary(text, format) },
    { parameters: ['Array[ByteInteger] byte_array'], run: ([bytes]) => new Binary(Uint8Array.from(bytes)) },
    {
      parameters: ['BinaryArgsHash hash_args'],
      run: ([hash]: readonly Hash[]) => {
        const value = hash!.get('value')
        return typeof value === 'string'
          ? toBinary(value, hash!.get('format') as string | undefined)
          : new Binary(Uint8Array.from(value as number[]))
      },
    },
  ],
}

function toBinary(text: string, format = '%B'): Binary {
  switch (format) {
    case '%s':
      if (!text.isWellFormed())
        throwArgumentError(
          "The given string in encoding 'UTF-8' is invalid. Cannot create a Binary UTF-8 representation",
        )
      return new Binary(Buffer.from(text))
    case '%r':
      return new Binary(encodeLosslessUtf8(text))
    case '%b':
      // Removes `-` and `_`: Ruby skips characters that are not base64, but Node decodes base64url characters.
      return new Binary(Buffer.from(text.replace(/[-_]/g, ''), 'base64'))
    case '%u':
      if (!/^[\w-]*={0,2}$/.test(text)) throwArgumentError('invalid base64')
      return new Binary(Buffer.from(text, 'base64url'))
    default:
      if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throwArgumentError('invalid base64')
      return new Binary(Buffer.from(text, 'base64'))
  }
}

const uriParts = ['scheme', 'userinfo', 'host', 'port', 'path', 'query', 'fragment', 'opaque']

/** Implements `URI.new`. */
export const newUri: NewFunction = {
  name: 'new_error',
  dispatches: [
    {
      parameters: ['String[1] uri'],
      run: ([text]) => Uri.parse(text),
    },
    {
      parameters: [
        `Struct[{${uriParts.map((part) => `Optional[${part}] => ${part === 'port' ? 'Integer[0]' : 'String[1]'}`).join(', ')}}] hash`,
      ],
      run: ([hash]: readonly Hash[]) => toUri(hash!),
    },
  ],
}

function toUri(hash: Hash): Uri {
  const parts = Object.fromEntries(uriParts.map((part) => [part, hash.get(part)])) as unknown as UriParts
  return Uri.of({ ...parts, port: parts.port === undefined ? undefined : Number(parts.port) })
}

/** Implements `Sensitive.new`. */
export const newSensitive: NewFunction = {
  name: 'new_Sensitive',
  dispatches: [
    { parameters: ['Sensitive value'], run: ([value]) => value },
    { parameters: ['Any value'], run: ([value]) => new Sensitive(value) },
  ],
}

/** Implements `NotUndef.new` and `Unit.new`, which return the argument unchanged. */
export const newUnit: NewFunction = {
  name: 'new_unit',
  dispatches: [{ parameters: ['Any from'], run: ([from]) => from }],
}
