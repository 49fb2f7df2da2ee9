import { createResources, requireCatalog } from '../../functions/catalog.ts'
import { isRubyEqual } from '../../functions/collections/ruby-compare.ts'
import { defineFunction } from '../../functions/definition/define-function.ts'
import { defineLegacyFunction } from '../../functions/definition/legacy-function.ts'
import type { CallContext } from '../../host.ts'
import { throwArgumentError } from '../../ruby-semantics/argument-error.ts'
import { formatAsString, inspectValue } from '../../types/printing/ruby-text.ts'
import { toText } from '../../types/printing/text.ts'
import { flattenArrays } from '../../values/flatten.ts'
import { Hash } from '../../values/hash.ts'
import { isType } from '../../values/type.ts'
import { isTruthy, type Value } from '../../values/value.ts'
import { failNoMethod, getLegacyClass, toArray } from './ruby.ts'

/**
 * `ensure_resource`: declares a resource unless it exists with these parameters. If it exists with other parameters,
 * this is a duplicate declaration.
 */
export const ensureResource = defineLegacyFunction(
  'ensure_resource',
  'Declares resources unless they are already declared with the same parameters.',
  -1,
  ([type, title, params], context) => {
    if (!isTruthy(type)) return throwArgumentError('Must specify a type')
    if (!isTruthy(title)) return throwArgumentError('Must specify a title')
    return ensureEachResource(type, flattenArrays([title]), params, context)
  },
)

function ensureEachResource(type: Value, titles: readonly Value[], given: Value, context: CallContext): undefined {
  const params = isTruthy(given) ? given : Hash.empty
  for (const title of titles) {
    if (isDefinedWith(`${formatAsString(type)}[${formatAsString(title)}]`, params, context)) continue
    if (typeof type !== 'string') return failNoMethod('capitalize', type)
    createResources.call(context, [type, Hash.of([[title, params]])])
  }
  return undefined
}

/** `ensure_resources`: calls `ensure_resource` for each title of a hash, with default parameters. */
export const ensureResources = defineLegacyFunction(
  'ensure_resources',
  'Declares resources from a hash of titles and parameters unless they are already declared.',
  -1,
  ([type, resources, defaults], context) => {
    if (!isTruthy(type)) return throwArgumentError('Must specify a type')
    if (!isTruthy(resources)) return throwArgumentError('Must specify a title')
    if (!(resources instanceof Hash))
      return throwArgumentError('ensure_resources(): Requires second argument to be a Hash')
    for (const [title, own] of resources)
      ensureEachResource(type, flattenArrays([title]), mergeParameters(defaults, own), context)
    return undefined
  },
)

function mergeParameters(defaults: Value, own: Value): Value {
  const base = isTruthy(defaults) ? defaults : Hash.empty
  if (!isTruthy(own)) return base
  if (!(base instanceof Hash)) return failNoMethod('merge', base)
  return own instanceof Hash
    ? base.merge(own)
    : throwArgumentError(`no implicit conversion of ${getLegacyClass(own)} into Hash`)
}

/** `ensure_packages`: sets `ensure` to `installed` by default, also if the defaults contain `present`. */
export const ensurePackages = defineFunction('ensure_packages', 'Declares packages unless they are already declared.', {
  'Variant[String[1], Array[String[1]], Hash[String[1], Any]] $packages, Hash $default_attributes? >> Undef': (
    packages: Value,
    attributes: Hash | undefined,
    context: CallContext,
  ) => {
    const given = Hash.from({ ensure: 'installed' }).merge(attributes ?? Hash.empty)
    const defaults = given.get('ensure') === 'present' ? given.with('ensure', 'installed') : given
    if (packages instanceof Hash) ensureResources.call(context, ['package', packages, defaults])
    else for (const name of toArray(packages)) ensureResource.call(context, ['package', name, defaults])
  },
})

/** `stdlib::ensure_packages`: accepts a package that is declared as `present` or as `installed`. */
export const stdlibEnsurePackages = defineFunction(
  'stdlib::ensure_packages',
  'Declares packages unless they are already declared.',
  {
    'Variant[String[1], Array[String[1]]] $packages, Hash $default_attributes? >> Undef': (
      packages: Value,
      attributes: Hash | undefined,
      context: CallContext,
    ) => ensureEachPackage(packages, attributes ?? Hash.empty, context),
    'Hash[String[1], Any] $packages, Hash $default_attributes? >> Undef': (
      packages: Hash,
      attributes: Hash | undefined,
      context: CallContext,
    ) => {
      for (const [name, own] of packages) ensureEachPackage(name, mergeParameters(attributes, own) as Hash, context)
    },
  },
)

/**
 * Declares packages with `ensure => installed`, or with `present` if the catalog already contains the package with
 * `present`: a different value would conflict with the existing declaration.
 */
function ensureEachPackage(packages: Value, attributes: Hash, context: CallContext): undefined {
  for (const name of toArray(packages)) {
    const given = Hash.from({ ensure: 'installed' }).merge(attributes)
    const isPlain = given.get('ensure') === 'present' || given.get('ensure') === 'installed'
    const isPresent =
      isPlain && isDefinedWith(`Package[${formatAsString(name)}]`, Hash.from({ ensure: 'present' }), context)
    const defaults = isPlain ? given.with('ensure', isPresent ? 'present' : 'installed') : given
    ensureResource.call(context, ['package', name, defaults])
  }
  return undefined
}

/** `defined_with_params`: false for the resource whose code runs. Does not compare parameters set by defaults. */
export const definedWithParams = defineLegacyFunction(
  'defined_with_params',
  'Returns true if the catalog contains a resource with all of the given parameters.',
  -1,
  ([reference, params], context) => {
    if (!isTruthy(reference)) return throwArgumentError('Must specify a reference')
    return isDefinedWith(reference, isTruthy(params) && params !== '' ? params : Hash.empty, context)
  },
)

function isDefinedWith(reference: Value, params: Value, context: CallContext): boolean {
  const catalog = requireCatalog(context, 'defined_with_params')
  const [type, title] = parseReference(reference)
  if (!catalog.hasResource(type, title)) return false
  const { resource } = context.scope
  if (resource && resource.type.toLowerCase() === type && resource.title === title) return false
  if (!(params instanceof Hash)) return failNoMethod('map', params)
  return [...params].every(([key, value]) => isRubyEqual(catalog.ownParameter(type, title, formatAsString(key)), value))
}

/** Parses a reference, or a string in that form, to lower-case type and title. */
function parseReference(reference: Value): readonly [type: string, title: string] {
  const isReference = isType(reference) && (reference.kind === 'Resource' || reference.kind === 'Class')
  if (!isReference && typeof reference !== 'string')
    return throwArgumentError(`Reference is not understood: '${getLegacyClass(reference)}'`)
  const text = isReference ? toText(reference).replaceAll("'", '') : (reference as string)
  const found = /^([^[\]]+)\[(.+)\]$/s.exec(text)
  if (!found) return throwArgumentError(`No title provided and ${inspectValue(text)} is not a valid resource reference`)
  return [found[1]!.replace(/^::/, '').toLowerCase(), found[2]!]
}

/** `getparam`: ignores defaults; returns the empty string if the resource or parameter does not exist. */
export const getparam = defineLegacyFunction(
  'getparam',
  'Returns a parameter of a resource in the catalog, or an empty string.',
  -1,
  (args, context) => {
    const [reference, name] = args
    if (!isTruthy(reference)) return throwArgumentError('Must specify a reference')
    if (typeof name !== 'string') return throwArgumentError('Must specify name of a parameter')
    if (name === '') return ''
    const isReference = isType(reference) && (reference.kind === 'Resource' || reference.kind === 'Class')
    const [type, title] = parseReference(isReference ? reference : formatAsString(reference))
    return requireCatalog(context, 'getparam').ownParameter(type, title, name) ?? ''
  },
)

/** `assert_private`: fails if the caller is in another module than the scope; the argument is the message. */
export const assertPrivate = defineLegacyFunction(
  'assert_private',
  'Fails if another module declares the calling class or defined type.',
  -1,
  (args, context) => {
    if (args.length > 1)
      return throwArgumentError(`assert_private(): Wrong number of arguments given (${args.length}}) for 0 or 1)`)
    const { moduleName, callerModuleName, frame } = context.scope
    // Code in the top scope fails, too: there is no caller, which Puppet distinguishes from a caller outside of
    // modules.
    if (moduleName === callerModuleName && frame.kind !== 'top') return undefined
    const [message] = args
    if (typeof message === 'string') return throwArgumentError(message)
    return throwArgumentError(
      `${frame.kind === 'class' || frame.kind === 'top' ? 'Class' : 'Definition'} ${frame.namespace} is private`,
    )
  },
)
