import { createHash } from 'node:crypto'
import { crc32 as crc32Of } from 'node:zlib'
import { PuppetError } from '../../../base/issue.ts'
import { encodeLosslessUtf8 } from '../../../base/text/byte-text.ts'
import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { formatAsString } from '../../types/printing/ruby-text.ts'
import { Binary } from '../../values/binary.ts'
import { Hash } from '../../values/hash.ts'
import { Sensitive } from '../../values/sensitive.ts'
import { isTruthy, type Value } from '../../values/value.ts'
import { formatJson, type JsonLayout, parseStdlibJson, pretty } from './json.ts'
import { failNotString } from './ruby.ts'

/** `parsejson`: returns the default also for `null` and `false`. */
export const parsejson = defineLegacyFunction(
  'parsejson',
  'Parses a JSON string; returns the default if it is invalid.',
  -1,
  (args) => {
    if (args.length === 0) return throwArgumentError('Wrong number of arguments. 1 or 2 arguments should be provided.')
    return readOrDefault(args[1], () => parseStdlibJson(requireText(args[0])))
  },
)

function requireText(value: Value): string {
  return typeof value === 'string' ? value : failNotString(value)
}

/**
 * Returns the result of `read`. Returns the default instead if the result is false or undef, or if `read` fails and the
 * default is neither.
 */
function readOrDefault(otherwise: Value, read: () => Value): Value {
  try {
    const value = read()
    return isTruthy(value) ? value : otherwise
  } catch (error) {
    if (!isTruthy(otherwise) || !(error instanceof PuppetError)) throw error
    return otherwise
  }
}

/**
 * `get_module_path`: returns the folder of a module. Throws RUNTIME_ERROR if the environment does not contain the
 * module.
 */
export const getModulePath = defineLegacyFunction(
  'get_module_path',
  'Returns the directory of a module.',
  -1,
  (args, context) => {
    if (args.length !== 1) return throwArgumentError('get_module_path(): Wrong number of arguments, expects one')
    return findModuleFolder(args[0], context)
  },
)

function findModuleFolder(name: Value, { host }: CallContext): string {
  const folder = host.files.moduleDirectory(formatAsString(name))
  return (
    folder ??
    throwArgumentError(
      `Could not find module ${formatAsString(name)} in environment ${formatAsString(host.setting('environment'))}`,
    )
  )
}

/**
 * `load_module_metadata`: reads metadata.json. Without the file, returns `{}` if the second argument is true, otherwise
 * throws RUNTIME_ERROR.
 */
export const loadModuleMetadata = defineLegacyFunction(
  'load_module_metadata',
  "Returns the content of a module's metadata.json.",
  -1,
  (args, context) => {
    if (args.length !== 1 && args.length !== 2)
      return throwArgumentError('load_module_metadata(): Wrong number of arguments, expects one or two')
    const [name, mayBeMissing] = args
    const text = context.host.files.readText(`${findModuleFolder(name, context)}/metadata.json`)
    if (text !== undefined) return parseStdlibJson(text)
    if (isTruthy(mayBeMissing)) return Hash.empty
    return throwArgumentError(`load_module_metadata(): No metadata.json file for module ${formatAsString(name)}`)
  },
)

/** `to_json` and `stdlib::to_json`: write JSON on one line without spaces. */
export const toJson = ['to_json', 'stdlib::to_json'].map((name) =>
  defineFunction(name, 'Converts a value to JSON.', { 'Any $data': (value: Value) => formatJson(value) }),
)

const layoutType = `Struct[{
  indent => Optional[String], space => Optional[String], space_before => Optional[String],
  object_nl => Optional[String], array_nl => Optional[String],
  allow_nan => Optional[Boolean], max_nesting => Optional[Integer[-1, default]]
}]`

/**
 * `to_json_pretty` and `stdlib::to_json_pretty`: write indented JSON with a final line break; `skip_undef` applies to
 * the top level only.
 */
export const toJsonPretty = ['to_json_pretty', 'stdlib::to_json_pretty'].map((name) =>
  defineFunction(name, 'Converts a hash or an array to indented JSON.', {
    [`Variant[Hash, Array] $data, Optional[Boolean] $skip_undef?, ${layoutType} $opts?`]: formatPrettyJson,
  }),
)

function formatPrettyJson(data: Value, skipUndef: boolean | undefined, options: Hash | undefined): string {
  const kept = !skipUndef
    ? data
    : Array.isArray(data)
      ? data.filter((each) => each !== undefined)
      : Hash.of([...(data as Hash)].filter(([, value]) => value !== undefined))
  return `${formatJson(kept, options ? readLayout(options) : pretty)}\n`
}

/** Reads the layout from the options. An option counts as given even if its value is undef. */
function readLayout(options: Hash): JsonLayout {
  const readText = (name: string, standard: string): string =>
    options.has(name) ? formatAsString(options.get(name)) : standard
  const nesting = options.has('max_nesting') ? Number(options.get('max_nesting') ?? 0) : pretty.maxNesting
  return {
    indent: readText('indent', pretty.indent),
    space: readText('space', pretty.space),
    spaceBefore: readText('space_before', pretty.spaceBefore),
    objectNl: readText('object_nl', pretty.objectNl),
    arrayNl: readText('array_nl', pretty.arrayNl),
    maxNesting: Math.max(0, nesting),
    allowNan: options.get('allow_nan') === true,
  }
}

const digested = 'Variant[ScalarData, Sensitive[ScalarData], Binary, Sensitive[Binary]] $my_data >> String'

/** `stdlib::crc32`: returns hex without leading zeros, so possibly fewer than eight digits. */
export const crc32 = defineFunction('stdlib::crc32', "Returns the CRC-32 of a value's string form, in hex.", {
  [digested]: (value: Value) => crc32Of(encodeLosslessUtf8(toHashText(value))).toString(16),
})

/** `stdlib::sha256`: hashes the text of any scalar, or of the value in a Sensitive; the digest is not Sensitive. */
export const sha256 = defineFunction('stdlib::sha256', "Returns the SHA-256 digest of a value's string form, in hex.", {
  [digested]: (value: Value) =>
    createHash('sha256')
      .update(encodeLosslessUtf8(toHashText(value)))
      .digest('hex'),
})

function toHashText(value: Value): string {
  const clear = value instanceof Sensitive ? value.unwrap() : value
  return clear instanceof Binary ? String(clear) : formatAsString(clear)
}
