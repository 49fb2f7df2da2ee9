import { defineIssues, isCatalogIssue, isIssue, type PuppetError } from '../../base/issue.ts'
import { formatSuggestion } from '../../base/text/name-suggestions.ts'
import { EvaluationError } from '../../language/evaluator/evaluation-error.ts'
import { functionIssues } from '../../language/functions/definition/issues.ts'
import { VerbatimError } from '../../language/values/verbatim-error.ts'
import { RubyError } from '../../ruby/ruby-machine.ts'
import { eyamlIssues } from './eyaml/issues.ts'

const functionKeys = 'data_hash, lookup_key, data_dig, or hiera3_backend'
const locationKeys = 'path, paths, glob, globs, uri, uris, or mapped_paths'

const fromVersion3 =
  "Write it as version 5: 'version: 5', and in 'hierarchy' for each path a 'name', 'path: PATH.yaml' and " +
  "'data_hash: yaml_data' (for a custom backend, 'lookup_key' and the name of its function); ':datadir:' becomes 'datadir' of " +
  "'defaults', and '%{::variable}' is '%{variable}'."
const fromVersion4 =
  "Write it as version 5: in 'hierarchy', 'backend: yaml' becomes 'data_hash: yaml_data', and each path has its ending; " +
  "'datadir' moves to 'defaults'."

/** Errors in data, and errors of lookups. */
const dataIssues = defineIssues({
  LOOKUP_SYNTAX_ERROR: { text: (a: { key: string }) => `Syntax error in key: '${a.key}'` },
  LOOKUP_SYNTAX_ERROR_IN_STRING: { text: (a: { text: string }) => `Syntax error in string: ${a.text}` },
  LOOKUP_RECURSION: {
    text: (a: { names: readonly string[] }) => `Recursive lookup detected in [${a.names.join(', ')}]`,
  },
  LOOKUP_FAILED: {
    text: (a: { key: string; detail: string }) => `Lookup of key '${a.key}' failed: ${a.detail}`,
  },
  LOOKUP_UNPARSABLE_CONFIG: {
    text: (a: { path: string; detail: string }) => `(${a.path}): ${a.detail}`,
    hint: ({ detail }) => suggestYamlFix(detail),
  },
  LOOKUP_UNPARSABLE: {
    text: (a: { path: string; detail: string }) => `Unable to parse (${a.path}): ${a.detail}`,
    hint: ({ detail }) => suggestYamlFix(detail),
  },
  LOOKUP_NO_HASH: { text: (a: { path: string }) => `${a.path}: file does not contain a valid yaml hash` },
  LOOKUP_MISSING_FILE: { text: (a: { path: string }) => `No such file or directory @ rb_sysopen - ${a.path}` },
  LOOKUP_FOLDER: { text: (a: { path: string }) => `Is a directory @ io_fread - ${a.path}` },
  LOOKUP_NOBODY_ASKS: {
    text: () => 'uncaught throw :no_such_key',
    hint: () => "Only a function that Hiera calls can call 'not_found'.",
  },
  LOOKUP_WRONG_VALUE: { text: (a: { message: string }) => a.message },
  LOOKUP_NO_CONTAINER: {
    text: (a: { type: string; segment: string | number; key: string }) =>
      `Data Provider type mismatch: Got ${a.type} when a hash-like object was expected ` +
      `to access value using '${a.segment}' from key '${a.key}'`,
  },
  LOOKUP_OPTIONS_NO_HASH: { text: () => 'value of lookup_options must be a hash' },
  LOOKUP_OPTIONS_KEY: {
    text: (a: { module: string }) => `all lookup_options keys must start with module name '${a.module}'`,
  },
  LOOKUP_OPTIONS_PATTERN: {
    text: (a: { module: string }) =>
      `all lookup_options patterns must match a key starting with module name '${a.module}'`,
  },
  LOOKUP_CONVERT_TO_TYPE: {
    text: (a: { key: string; type: string; detail: string }) =>
      `Invalid data type in lookup_options for key '${a.key}' could not parse '${a.type}', error: '${a.detail}`,
  },
  LOOKUP_CONVERT_TO: {
    text: (a: { key: string; detail: string }) =>
      `The convert_to lookup_option for key '${a.key}' raised error: ${a.detail}`,
  },
  LOOKUP_FOREIGN_KEY: {
    text: (a: { module: string; what: string }) =>
      `Module '${a.module}': ${a.what} must use keys qualified with the name of the module`,
  },
})

/** Errors in hiera.yaml and in the functions that it names. */
const configIssues = defineIssues({
  LOOKUP_HIERA_VERSION_3_NOT_GLOBAL: {
    text: (a: { layer: string }) => `hiera.yaml version 3 cannot be used in ${a.layer}`,
    hint: () => fromVersion3,
  },
  LOOKUP_HIERA_UNSUPPORTED_VERSION: {
    text: (a: { version: string }) => `This runtime does not support hiera.yaml version ${a.version}`,
  },
  LOOKUP_HIERA_UNSUPPORTED_VERSION_IN_GLOBAL: { text: () => 'hiera.yaml version 4 cannot be used in the global layer' },
  LOOKUP_HIERA_NO_PROVIDER_FOR_BACKEND: {
    text: (a: { name: string }) => `No data provider is registered for backend '${a.name}'`,
  },
  LOOKUP_HIERA_VERSION_4: {
    text: (a: { path: string }) =>
      `${a.path}: Use of 'hiera.yaml' version 4 is deprecated. It should be converted to version 5\n   (file: ${a.path})`,
    hint: () => fromVersion4,
  },
  LOOKUP_HIERA_HIERARCHY_NAME_MULTIPLY_DEFINED: {
    text: (a: { name: string }) => `Hierarchy name '${a.name}' defined more than once.`,
  },
  LOOKUP_HIERA_DEFAULT_HIERARCHY_NOT_IN_MODULE: {
    text: () => "'default_hierarchy' is only allowed in the module layer",
  },
  LOOKUP_HIERA_V3_BACKEND_NOT_SUPPORTED: {
    text: (a: { name: string }) => `'hiera3_backend' in hierarchy '${a.name}' is not supported`,
    hint: () => "Use 'data_hash', 'lookup_key' or 'data_dig' with a function.",
  },
  LOOKUP_HIERA_MISSING_DATA_PROVIDER_FUNCTION: {
    text: (a: { name: string }) => `One of ${functionKeys} must be defined in hierarchy '${a.name}'`,
    hint: () => "For data in YAML files, add 'data_hash: yaml_data' to the level or to 'defaults'.",
  },
  LOOKUP_HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS: {
    text: (a: { name: string }) => `Only one of ${functionKeys} can be defined in hierarchy '${a.name}'`,
  },
  LOOKUP_HIERA_MULTIPLE_DATA_PROVIDER_FUNCTIONS_IN_DEFAULT: {
    text: () => `Only one of ${functionKeys} can be defined in defaults`,
  },
  LOOKUP_HIERA_MULTIPLE_LOCATION_SPECS: {
    text: (a: { name: string }) => `Only one of ${locationKeys} can be defined in hierarchy '${a.name}'`,
  },
  LOOKUP_HIERA_OPTION_RESERVED_BY_PUPPET: {
    text: (a: { key: string; name: string }) =>
      `Option key '${a.key}' used in hierarchy '${a.name}' is reserved by Puppet`,
  },
  LOOKUP_HIERA_DEFAULT_OPTION_RESERVED_BY_PUPPET: {
    text: (a: { key: string }) => `Option key '${a.key}' used in defaults is reserved by Puppet`,
  },
  LOOKUP_HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND: {
    text: (a: { kind: string; name: string; known: Iterable<string> }) =>
      `Unable to find '${a.kind}' function named '${a.name}'`,
    hint: ({ name, known }) => formatSuggestion(name, known),
  },
  LOOKUP_HIERA_INTERPOLATION_ALIAS_NOT_ENTIRE_STRING: {
    text: () => "'alias' interpolation is only permitted if the expression is equal to the entire string",
  },
  LOOKUP_HIERA_INTERPOLATION_UNKNOWN_INTERPOLATION_METHOD: {
    text: (a: { name: string }) => `Unknown interpolation method '${a.name}'`,
  },
  LOOKUP_HIERA_INTERPOLATION_METHOD_SYNTAX_NOT_ALLOWED: {
    text: () => 'Interpolation using method syntax is not allowed in this context',
  },
})

const otherIssues = defineIssues({
  UNDEFINED_VARIABLE: { text: (a: { name: string }) => `Undefined variable '${a.name}'` },
  ILLEGAL_MERGE: { text: (a: { message: string }) => a.message },
})

/** Errors of Hiera. Like Puppet, Plumb prints them without the location of the lookup in the manifest. */
export const hieraIssues = { ...dataIssues, ...configIssues, ...otherIssues } as const

/** Returns a hint for an invalid first character in YAML, such as a tab or `%`. */
function suggestYamlFix(detail: string): string | undefined {
  if (!detail.includes('cannot start any token')) return undefined
  return 'Indent with spaces instead of tabs, and quote strings that begin with %, @ or a backquote.'
}

/** Errors that are printed with the location of the lookup. */
const saidWhereAsked = [hieraIssues.LOOKUP_FAILED, hieraIssues.LOOKUP_UNPARSABLE_CONFIG]

/**
 * Returns true for errors in data or in a data function (`DataBinding::LookupError` in Puppet), and false for errors in
 * the code that calls `lookup`.
 */
export function isLookupError(error: PuppetError): boolean {
  if (error instanceof EvaluationError || isIssue(error, ...saidWhereAsked)) return true
  if (!(error instanceof VerbatimError)) return false
  const isOfHiera = [dataIssues, configIssues, eyamlIssues].some((catalogue) => isCatalogIssue(error, catalogue))
  return isOfHiera || isIssue(error, functionIssues.LOOKUP_NOT_FOUND)
}

/**
 * Returns true for an error that has no code in Puppet. A lookup in the global layer adds its key to the message of
 * such an error.
 */
export function hasNoPuppetCode(error: PuppetError): boolean {
  if (error instanceof RubyError) return error.kind.startsWith('Puppet::')
  return (
    !isCatalogIssue(error, configIssues) && !isIssue(error, dataIssues.LOOKUP_FOLDER, dataIssues.LOOKUP_MISSING_FILE)
  )
}
