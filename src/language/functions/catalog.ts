import { fail } from '../../base/issue.ts'
import { findVariable } from '../evaluator/find-variable.ts'
import type { Attribute, CallContext, CatalogBuilder } from '../host.ts'
import { refuse } from '../ruby-semantics/argument-error.ts'
import { scriptingIssues } from '../syntax/issues/scripting.ts'
import { rubyText } from '../types/printing/ruby-text.ts'
import { toText } from '../types/printing/text.ts'
import { getRubyName, rubyClass } from '../types/ruby-class.ts'
import { flatten } from '../values/flatten.ts'
import { Hash } from '../values/hash.ts'
import { isType, type Type } from '../values/type.ts'
import type { Value } from '../values/value.ts'
import { defineFunction } from './definition/define-function.ts'
import { defineLegacyFunction, legacyText } from './definition/legacy-function.ts'

/** `include`: accepts class names in nested arrays, and references; returns references. */
export const include = includer('include', 'Declares classes that are not declared yet.')
/** `contain`: includes classes and adds a containment edge from the calling class or resource. */
export const contain = includer('contain', 'Declares classes and contains them in the calling class.')
/** `require`: includes classes and adds them to the `require` of the calling class or resource. */
export const require = includer('require', 'Declares classes and applies them before the calling class or resource.')

/**
 * `realize`: registers a collector for the references. Compilation fails if a referenced resource is still missing at
 * its end.
 */
export const realize = defineLegacyFunction('realize', 'Realizes virtual resources.', -2, (args, context) => {
  const references = flatten(args).map((value) => {
    if (isType(value) && (value.kind === 'Resource' || value.kind === 'Class')) return value
    const message = `No title provided and ${JSON.stringify(rubyText(value))} is not a valid resource reference`
    return refuse(message)
  })
  requireCatalog(context, 'realize').realize(references, context.scope)
  return undefined
})

/** `tag`: adds names, which can be in arrays, as tags to the resource whose code runs; returns undef. */
export const tag = defineLegacyFunction('tag', 'Adds tags to the calling class or resource.', -2, (args, context) => {
  requireCatalog(context, 'tag').tag(flatten(args).map(legacyText), context.scope)
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
    const tags = flatten(args).map(legacyText)
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
    if (args.length > 3) refuse(`create_resources(): wrong number of arguments (${args.length}; must be 2 or 3)`)
    if (!(instances instanceof Hash)) return refuse('create_resources(): second argument must be a hash')
    if (!(defaults instanceof Hash)) return refuse('create_resources(): third argument, if provided, must be a hash')
    if (typeof type !== 'string') return refuse(`undefined method \`sub' for ${toText(type)}:${rubyClass(type)}`)
    const builder = requireCatalog(context, 'create_resources')
    for (const [title, parameters] of instances)
      createResource(builder, type, title, defaults.merge(parametersFrom(parameters)), context)
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
        typeof name === 'string' ? isNameKnown(name, context) : isTypeKnown(name as Type, context),
      ),
  },
)

/** The catalog under construction. Throws if there is none. */
export function requireCatalog({ host: { catalog } }: CallContext, operation: string): CatalogBuilder {
  return catalog ?? fail(scriptingIssues.CATALOG_OPERATION_NOT_SUPPORTED_WHEN_SCRIPTING, { operation })
}

function includer(how: 'include' | 'contain' | 'require', doc: string) {
  return defineFunction(how, doc, {
    'Any +$names': (names: readonly Value[], context: CallContext) =>
      requireCatalog(context, how).includeClasses(flatten(names).map(className), how, context.scope, context.span),
  })
}

/** Class name from a string or `Class['name']`. */
function className(value: Value): string {
  if (value === '') return refuse('Cannot use empty string as a class name')
  if (typeof value === 'string') return value.replace(/^::/, '').toLowerCase()
  if (value === undefined) return refuse('Cannot use undef as a class name')
  if (isType(value)) {
    if (value.kind === 'Class') return value.className ?? refuse('Cannot use an unspecific Class[] Type')
    if (value.kind === 'Resource' && value.typeName !== 'class')
      return refuse(
        `Cannot use a Resource[${capitalizedType(value.typeName)}] where a Resource['class', name] is expected`,
      )
    if (value.kind === 'Resource')
      return (
        value.title ?? refuse("Cannot use an unspecific Resource['class'] where a Resource['class', name] is expected")
      )
  }
  return refuse(`Cannot use ${toText(value)} as a class name`)
}

function capitalizedType(name = ''): string {
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
  if (type === 'class' && form !== 'regular') refuse('Classes are not virtualizable')
  const place = span ?? { source: { file: undefined, text: '' }, start: 0, end: 0 }
  const attributes = [...parameters].map(
    ([key, value]): Attribute => ({ name: rubyText(key), operator: '=>', value, span: place }),
  )
  const titles = Array.isArray(title) ? title.map(rubyText) : [rubyText(title)]
  const titleValue = Array.isArray(title) || typeof title === 'string' ? undefined : title
  builder.declare({ form, type, titles, titleValue, attributes, span: place }, scope)
}

function parametersFrom(value: Value): Hash {
  if (value instanceof Hash) return value
  // Puppet: undef as parameters is Ruby's nil, which Hash#merge rejects; 4.x functions accept it.
  return refuse(`no implicit conversion of ${getRubyName(value)} into Hash`)
}

function isNameKnown(name: string, { host, scope }: CallContext): boolean {
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

function isTypeKnown(type: Type, { host: { catalog } }: CallContext): boolean {
  if (type.kind === 'Type') {
    if (type.type.kind !== 'Class') return isKnown(type.type, catalog)
    const name = type.type.className ?? refuse('The given class type is a reference to all classes')
    return catalog?.isClassKnown(name) ?? false
  }
  return isKnown(type, catalog)
}

function isKnown(type: Type, catalog: CatalogBuilder | undefined): boolean {
  if (type.kind === 'Class') {
    const name = type.className ?? refuse('The given class type is a reference to all classes')
    return catalog?.hasResource('class', name) ?? false
  }
  if (type.kind !== 'Resource') return false
  const name = type.typeName ?? refuse('The given resource type is a reference to all kind of types')
  if (type.title === undefined) return catalog?.isTypeKnown(name) ?? false
  return catalog?.hasResource(name, type.title) ?? false
}
