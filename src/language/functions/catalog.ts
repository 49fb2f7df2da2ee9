import { throwIssue } from '../../base/issue.ts'
import { findVariable } from '../evaluator/variable-lookup.ts'
import type { CallContext, CatalogBuilder, EvaluatedAttribute } from '../host.ts'
import { throwArgumentError } from '../ruby-semantics/argument-error.ts'
import { scriptingIssues } from '../syntax/issues/scripting.ts'
import { formatAsString } from '../types/printing/ruby-text.ts'
import { toText } from '../types/printing/text.ts'
import { getRubyClassName, getRubyName } from '../types/ruby-class.ts'
import { flattenArrays } from '../values/flatten.ts'
import { Hash } from '../values/hash.ts'
import { isType, type Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { defineFunction } from './definition/define-function.ts'
import { defineLegacyFunction, formatLegacyValue } from './definition/legacy-function.ts'

/** `include`: accepts class names in nested arrays, and references; returns references. */
export const include = defineInclusion('include', 'Declares classes that are not declared yet.')
/** `contain`: includes classes and adds a containment edge from the calling class or resource. */
export const contain = defineInclusion('contain', 'Declares classes and contains them in the calling class.')
/** `require`: includes classes and adds them to the `require` of the calling class or resource. */
export const require = defineInclusion(
  'require',
  'Declares classes and applies them before the calling class or resource.',
)

/**
 * `realize`: registers a collector for the references. Compilation fails if a referenced resource is still missing at
 * its end.
 */
export const realize = defineLegacyFunction('realize', 'Realizes virtual resources.', -2, (args, context) => {
  const references = flattenArrays(args).map((value) => {
    if (isType(value) && (value.kind === 'Resource' || value.kind === 'Class')) return value
    const message = `No title provided and ${JSON.stringify(formatAsString(value))} is not a valid resource reference`
    return throwArgumentError(message)
  })
  requireCatalog(context, 'realize').realize(references, context.scope)
  return undefined
})

/** `tag`: adds names, which can be in arrays, as tags to the resource whose code runs; returns undef. */
export const tag = defineLegacyFunction('tag', 'Adds tags to the calling class or resource.', -2, (args, context) => {
  requireCatalog(context, 'tag').tag(flattenArrays(args).map(formatLegacyValue), context.scope)
  return undefined
})

/**
 * `tagged`: true if all names are tags of the resource whose code runs or of the catalog's classes; false for an empty
 * array.
 */
export const tagged = defineLegacyFunction(
  'tagged',
  'Returns true if the calling class or resource has all of the tags.',
  -2,
  (args, context) => {
    const tags = flattenArrays(args).map(formatLegacyValue)
    return tags.length > 0 && requireCatalog(context, 'tagged').isTagged(tags, context.scope)
  },
)

/** `create_resources`: type `@file` declares virtual resources, `@@file` exported ones, `class` classes. */
export const createResources = defineLegacyFunction(
  'create_resources',
  'Declares resources of one type from a hash of titles and parameters, with optional defaults.',
  -3,
  (args, context) => {
    const [type, instances, defaults = Hash.empty] = args
    if (args.length > 3)
      throwArgumentError(`create_resources(): wrong number of arguments (${args.length}; must be 2 or 3)`)
    if (!(instances instanceof Hash)) return throwArgumentError('create_resources(): second argument must be a hash')
    if (!(defaults instanceof Hash))
      return throwArgumentError('create_resources(): third argument, if provided, must be a hash')
    if (typeof type !== 'string')
      return throwArgumentError(`undefined method \`sub' for ${toText(type)}:${getRubyClassName(type)}`)
    const builder = requireCatalog(context, 'create_resources')
    for (const [title, parameters] of instances)
      createResource(builder, type, title, defaults.merge(toParameters(parameters)), context)
    return undefined
  },
)

/**
 * `defined`: `'a'` is the name of a class or type, `'$a'` a variable, `File['/x']` a resource already in the catalog.
 */
export const defined = defineFunction(
  'defined',
  'Returns true if any of the variables, classes, types or resources is defined.',
  {
    'Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] +$vals': (
      names: readonly Value[],
      context: CallContext,
    ) =>
      names.some((name) =>
        typeof name === 'string' ? isNameDefined(name, context) : isTypeDefined(name as Type, context),
      ),
  },
)

/** The catalog under construction. Throws if there is none. */
export function requireCatalog({ host: { catalog } }: CallContext, operation: string): CatalogBuilder {
  return catalog ?? throwIssue(scriptingIssues.CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING, { operation })
}

function defineInclusion(how: 'include' | 'contain' | 'require', doc: string) {
  return defineFunction(how, doc, {
    'Any +$names': (names: readonly Value[], context: CallContext) =>
      requireCatalog(context, how).includeClasses(
        flattenArrays(names).map(toClassName),
        how,
        context.scope,
        context.span,
      ),
  })
}

/** Class name from a string or `Class['name']`. */
function toClassName(value: Value): string {
  if (value === '') return throwArgumentError('Cannot use empty string as a class name')
  if (typeof value === 'string') return value.replace(/^::/, '').toLowerCase()
  if (value === undefined) return throwArgumentError('Cannot use undef as a class name')
  if (isType(value)) {
    if (value.kind === 'Class') return value.className ?? throwArgumentError('Cannot use an unspecific Class[] Type')
    if (value.kind === 'Resource' && value.typeName !== 'class')
      return throwArgumentError(
        `Cannot use a Resource[${capitalizeType(value.typeName)}] where a Resource['class', name] is expected`,
      )
    if (value.kind === 'Resource')
      return (
        value.title ??
        throwArgumentError("Cannot use an unspecific Resource['class'] where a Resource['class', name] is expected")
      )
  }
  return throwArgumentError(`Cannot use ${toText(value)} as a class name`)
}

function capitalizeType(name = ''): string {
  return name.replace(/(^|::)[a-z]/g, (found) => found.toUpperCase())
}

function createResource(
  builder: CatalogBuilder,
  typeText: string,
  title: Value,
  parameters: Hash,
  { scope, span }: CallContext,
): void {
  const [, sigil, name = ''] = /^(@{0,2})(.*)$/s.exec(typeText)!
  const form = sigil === '@@' ? 'exported' : sigil === '@' ? 'virtual' : 'regular'
  const type = name.replace(/^::/, '').toLowerCase()
  if (type === 'class' && form !== 'regular') throwArgumentError('Classes are not virtualizable')
  const place = span ?? { source: { file: undefined, text: '' }, start: 0, end: 0 }
  const attributes = [...parameters].map(
    ([key, value]): EvaluatedAttribute => ({ name: formatAsString(key), operator: '=>', value, span: place }),
  )
  const titles = Array.isArray(title) ? title.map(formatAsString) : [formatAsString(title)]
  const titleValue = Array.isArray(title) || typeof title === 'string' ? undefined : title
  builder.declare({ form, type, titles, titleValue, attributes, span: place }, scope)
}

function toParameters(value: Value): Hash {
  if (value instanceof Hash) return value
  // Puppet: undef as parameters is Ruby's nil, which Hash#merge rejects; 4.x functions accept it.
  return throwArgumentError(`no implicit conversion of ${getRubyName(value)} into Hash`)
}

function isNameDefined(name: string, { host, scope }: CallContext): boolean {
  if (name.startsWith('$')) return findVariable(name.slice(1), { host, scope }) !== undefined
  if (name === '') return false
  const catalog = host.catalog
  const bare = name.replace(/^::/, '').toLowerCase()
  if (catalog === undefined) return false
  // A type that is not written in Puppet code cannot be found with a leading `::` (Puppet:
  // functions/defined.rb).
  const isNativeFromTop = bare !== name.toLowerCase() && !bare.includes('::')
  return bare === 'main' || (!isNativeFromTop && catalog.isTypeKnown(bare)) || catalog.isClassKnown(bare)
}

function isTypeDefined(type: Type, { host: { catalog } }: CallContext): boolean {
  if (type.kind === 'Type') {
    if (type.type.kind !== 'Class') return isInCatalog(type.type, catalog)
    const name = type.type.className ?? throwArgumentError('The given class type is a reference to all classes')
    return catalog?.isClassKnown(name) ?? false
  }
  return isInCatalog(type, catalog)
}

function isInCatalog(type: Type, catalog: CatalogBuilder | undefined): boolean {
  if (type.kind === 'Class') {
    const name = type.className ?? throwArgumentError('The given class type is a reference to all classes')
    return catalog?.hasResource('class', name) ?? false
  }
  if (type.kind !== 'Resource') return false
  const name = type.typeName ?? throwArgumentError('The given resource type is a reference to all kind of types')
  if (type.title === undefined) return catalog?.isTypeKnown(name) ?? false
  return catalog?.hasResource(name, type.title) ?? false
}
