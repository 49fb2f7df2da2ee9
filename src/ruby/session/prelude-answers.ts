import { getLineAndColumn } from '../../base/source.ts'
import type { Scope } from '../../language/evaluator/scope.ts'
import { findVariable } from '../../language/evaluator/variable-lookup.ts'
import type { LogLevel } from '../../language/host.ts'
import { readRichData } from '../../language/rich-data/read.ts'
import { toRichData } from '../../language/rich-data/write.ts'
import { throwArgumentError } from '../../language/ruby-semantics/argument-error.ts'
import { parseType } from '../../language/types/from-code/type-parser.ts'
import { generalizeType } from '../../language/types/generalize.ts'
import { inferDetailedType, inferType } from '../../language/types/infer.ts'
import { isAssignable } from '../../language/types/is-assignable.ts'
import { isInstance } from '../../language/types/is-instance.ts'
import { describeMismatch, describeTypeMismatch } from '../../language/types/mismatch/mismatch.ts'
import { type Callable, callByName } from '../../language/values/callable.ts'
import { Hash } from '../../language/values/hash.ts'
import { convertJsonToValue } from '../../language/values/json-values.ts'
import type { ObjectValue } from '../../language/values/object.ts'
import { SemVer, SemVerRange } from '../../language/values/semver.ts'
import type { Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import { RubyFunction } from './ruby-functions.ts'
import type { RubySession } from './session.ts'

/** Replies to queries of running Ruby code by name, sent with `Plumb::Bridge.ask(name, …)`. */
export const preludeAnswers: Readonly<Record<string, (session: RubySession, args: readonly Value[]) => Value>> = {
  /** Returns `[true, value]` for a variable that is set; otherwise the reason why it has no value. */
  variable: (session, [scope, name]) => readVariable(session, scope, String(name)),

  /** Returns variables by name, or parts of them by path; without names, all variables. */
  variables: (session, [scope, names]) => readVariables(session, scope, names as readonly Wanted[] | undefined),

  /**
   * Notification that Ruby sets or reads a variable that exists only in Ruby. It is recorded in traces; the reply
   * is empty.
   */
  own_variable: () => undefined,

  /**
   * Returns the path and the content id of a template. Traces contain this reply, so that a changed template is
   * detected.
   */
  template_content({ host: { files } }, [name]) {
    const path = files.findInModule('templates', String(name))
    return path === undefined ? undefined : [path, files.contentId(path)]
  },

  /** Notification that a template modified an array or hash in place. */
  changed(session, [number, name, value]) {
    const scope = session.scope(number)
    const old = scope.get(String(name))
    for (let at: Scope | undefined = scope; at; at = at.enclosing)
      if (at.isBound(String(name))) {
        at.set(String(name), value)
        break
      }
    session.surroundings.replaceValue(old, value)
    return undefined
  },

  /** Sets a variable for Ruby; returns false if Ruby may not set it. */
  set_variable: (session, [number, name, value]) => session.setVariable(number as number, String(name), value),

  scope(session, [number]) {
    const { namespace, moduleName, resource } = session.scope(number)
    const kind = resource?.type === 'Class' ? 'hostclass' : resource?.type === 'Node' ? 'node' : 'definition'
    const reference = resource && `${resource.type}[${resource.title}]`
    return Hash.from({ namespace, module: moduleName, resource: reference, kind })
  },

  /** Calls a function of the language, optionally with a block. */
  call(session, [number, name, args, block]) {
    const { host, context } = session
    const scope = session.scope(number)
    const callable = host.findFunction(String(name).replace(/^::/, ''), scope)
    if (!callable) return throwArgumentError(`Unknown function: '${String(name)}'.`)
    const call = { host, scope, span: context.span }
    return callByName(callable, call, args as readonly Value[], block as Callable | undefined)
  },

  /** Runs a query of the store for `Puppet::Util::Puppetdb.query_puppetdb`. */
  puppetdb_query({ host, top, context }, [query]) {
    const callable = host.findFunction('puppetdb_query', top)
    return callable ? callable.call(context, [query]) : throwArgumentError("Unknown function: 'puppetdb_query'.")
  },

  /** Runs a DNS or HTTP query. */
  outside({ host }, [kind, question]) {
    if (kind !== 'dns' && kind !== 'http')
      return throwArgumentError(`Ruby sent an unknown external request: ${String(kind)}`)
    const asked = toRichData(question, { richData: false, warn: () => {} })
    if (!host.askOutside) return Hash.from({ refused: 'Network access is disabled here' })
    return convertJsonToValue(host.askOutside(kind as 'dns' | 'http', asked))
  },

  /** Returns the index of the signature that matches the arguments, for a function that overrides `call`. */
  dispatch({ host, top, context }, [name, args, block]) {
    const callable = host.findFunction(String(name), top)
    if (!(callable instanceof RubyFunction)) return throwArgumentError(`Unknown function: '${String(name)}'.`)
    return callable.choose(context, args as readonly Value[], block as Callable | undefined)
  },

  lambda: ({ crossings, context }, [id, args]) =>
    (crossings.kept(id as number) as Callable).call(context, args as readonly Value[]),

  /** Calls a method of an object that the host supplies, such as a lookup context. */
  method({ crossings, context }, [id, name, args, block]) {
    const object = crossings.kept(id as number) as ObjectValue
    return object.method(String(name))!.call(context, [object, ...(args as readonly Value[])], block as Callable)
  },

  legacy_function: ({ surroundings }, [name]) => surroundings.legacyFunction(String(name)),
  type_file: ({ surroundings }, [name]) => surroundings.typeFile(String(name)),
  has_providers: ({ surroundings }, [name]) => surroundings.hasProviders(String(name)),
  builtin_type({ surroundings }, [name]) {
    const found = surroundings.builtinType(String(name))
    if (!found) return undefined
    const { parameters, properties, namevars, isomorphic } = found
    return Hash.from({ parameters: [...parameters], properties: [...properties], namevars, isomorphic })
  },
  environment: ({ surroundings }) => surroundings.environment,
  modulepath: ({ surroundings }) => surroundings.modulepath,
  modules: ({ surroundings }) => surroundings.moduleNames,
  module: ({ host }, [name]) => host.files.moduleDirectory(String(name)),
  find_file: ({ host }, [kind, name]) => host.files.findInModule(kind as 'files' | 'templates', String(name)),

  setting({ host }, [name]) {
    if (name === 'strict') return host.strict
    if (name === 'strict_variables') return host.strictVariables
    return name === 'all_local' ? undefined : host.setting(String(name))
  },

  fact(session, [name]) {
    const facts = session.top.get('facts')
    const path = String(name).split('.')
    return path.reduce<Value>((value, key) => (value instanceof Hash ? value.get(key) : undefined), facts)
  },

  log({ host, context }, [level, message]) {
    host.log(level as LogLevel, String(message), context.scope, context.span)
    return undefined
  },

  /** Prints text that Ruby writes to standard output. */
  print(session, [text]) {
    session.print(String(text))
    return undefined
  },

  stack({ context: { span } }) {
    return span ? [[span.source.file || 'unknown', getLineAndColumn(span.source, span.start).line]] : []
  },

  type: ({ crossings }, [text]) => parseType(String(text), crossings.resolve),
  instance: (_, [type, value]) => isInstance(type as Type, value),
  assignable: (_, [to, from]) => isAssignable(to as Type, from as Type),
  infer: (_, [value]) => inferType(value),
  infer_set: (_, [value]) => inferDetailedType(value),
  generalize: (_, [type]) => generalizeType(type as Type),
  mismatch: (_, [subject, type, value]) => describeMismatch(`${String(subject)} has wrong type,`, type as Type, value),
  describe_mismatch: (_, [subject, expected, actual]) =>
    describeTypeMismatch(String(subject), expected as Type, actual as Type),
  to_data: (_, [value, rich]) =>
    rich ? convertJsonToValue(toRichData(value, { richData: true, bytes: 'binary' })) : toCatalogValue(value),

  compare_versions: (_, [one, other]) => SemVer.compare(SemVer.parse(String(one))!, SemVer.parse(String(other))!),
  version_in_range: (_, [range, version]) =>
    SemVerRange.parse(String(range))?.includes(SemVer.parse(String(version))!) ?? false,

  class_known: ({ host }, [name]) => host.catalog?.isClassKnown(String(name)) ?? false,
  type_known: ({ host }, [name]) => host.catalog?.isTypeKnown(String(name)) ?? false,
  has_resource: ({ host }, [type, title]) => host.catalog?.hasResource(String(type), String(title)) ?? false,
  parameters({ surroundings }, [type, title]) {
    const found = surroundings.resourceParameters(String(type), String(title))
    return found && Hash.of(found)
  },
  defaults: (session, [number, type]) =>
    Hash.of(session.surroundings.resourceDefaults(session.scope(number), String(type))),
  classes: ({ surroundings }) => surroundings.catalogContents().classes,
  catalog_tags: ({ surroundings }) => surroundings.catalogContents().tags,
  resources: ({ surroundings }) => surroundings.catalogContents().resources,
  tags: ({ surroundings }) => surroundings.catalogContents().tags,
}

function readVariable(session: RubySession, number: Value, name: string): Value {
  const scope = session.scope(number)
  const { host } = session
  if (/^\d+$/.test(name)) return [true, scope.group(Number(name))]
  const found = findVariable(name, { host, scope })
  if (found) host.observer?.reads(name, scope)
  if (found) return [true, found.value]
  const end = name.lastIndexOf('::')
  if (end <= 0) return [undefined]
  const owner = name.slice(0, end).replace(/^::/, '')
  if (owner === 'settings' || host.catalog?.classScope(owner)) return [undefined]
  const reason = host.catalog?.isClassKnown(owner) ? 'has not been evaluated' : 'could not be found'
  return [`class ${owner} ${reason}`]
}

/** A requested variable, optionally with a path of keys in it. */
type Wanted = string | readonly [name: string, ...keys: string[]]

/** The requested parts of a value by key, or all of it. */
type Parts = ReadonlyMap<string, Parts> | 'all'

/** Parsed requests for lists of names, which are reused. */
const knownParts = new WeakMap<readonly Wanted[], ReadonlyMap<string, Parts>>()

function readVariables(session: RubySession, number: Value, names: readonly Wanted[] | undefined): Hash {
  const scope = session.scope(number)
  const found: [string, Value][] = []
  for (const [wanted, parts] of names ? getPartTree(names) : listVariables(scope)) {
    const name = names ? findPuppetName(scope, wanted) : wanted
    const value = selectParts(scope.get(name), parts)
    if (value === undefined) continue
    found.push([name, value])
    if (names) session.host.observer?.reads(name, scope)
  }
  return Hash.of(found)
}

/** Variables whose names are not valid in Ruby. Ruby uses the name with `_` for each invalid character. */
interface Respelled {
  readonly size: number
  readonly names: ReadonlyMap<string, readonly string[]>
}

/** Names that contain invalid characters, by top scope. Only facts and node parameters may have such names. */
const respelledIn = new WeakMap<Scope, Respelled>()

/**
 * Returns the Puppet name of the variable that Ruby calls `name`. If there are several such variables, returns the
 * last one, since Puppet sets them in order.
 */
function findPuppetName(scope: Scope, name: string): string {
  let top = scope
  while (top.enclosing) top = top.enclosing
  const candidates = groupByRubyName(top).get(name)
  if (!candidates) return name
  const isCandidate = (each: string): boolean => each === name || candidates.includes(each)
  return (
    [...collectVariableNames(scope)].filter((each) => isCandidate(each) && scope.get(each) !== undefined).at(-1) ?? name
  )
}

function groupByRubyName(top: Scope): ReadonlyMap<string, readonly string[]> {
  const variables = top.variables()
  const known = respelledIn.get(top)
  if (known?.size === variables.size) return known.names
  const names = new Map<string, string[]>()
  for (const name of top.oddNames()) {
    const said = name.replace(/\W/g, '_')
    names.set(said, [...(names.get(said) ?? []), name])
  }
  respelledIn.set(top, { size: variables.size, names })
  return names
}

function getPartTree(names: readonly Wanted[]): ReadonlyMap<string, Parts> {
  const known = knownParts.get(names)
  if (known) return known
  const parts = buildPartTree(names.map((wanted) => (typeof wanted === 'string' ? [wanted] : wanted))) as Map<
    string,
    Parts
  >
  knownParts.set(names, parts)
  return parts
}

/** Combines paths with a common prefix into a tree. */
function buildPartTree(paths: readonly (readonly string[])[]): Parts {
  if (paths.some(({ length }) => length === 0)) return 'all'
  const below = new Map<string, (readonly string[])[]>()
  for (const [key, ...rest] of paths) below.set(key!, [...(below.get(key!) ?? []), rest])
  return new Map(Array.from(below, ([key, rests]) => [key, buildPartTree(rests)]))
}

function listVariables(scope: RubySession['top']): Iterable<readonly [string, Parts]> {
  return Array.from(collectVariableNames(scope), (name) => [name, 'all'] as const)
}

/** Returns the requested part of a hash. */
function selectParts(value: Value, parts: Parts): Value {
  if (parts === 'all' || !(value instanceof Hash)) return value
  const found: [string, Value][] = []
  for (const [key, below] of parts) if (value.has(key)) found.push([key, selectParts(value.get(key), below)])
  return Hash.of(found)
}

function collectVariableNames(scope: RubySession['top']): Set<string> {
  const outer = scope.enclosing ? collectVariableNames(scope.enclosing) : new Set<string>()
  for (const name of scope.variables().keys()) outer.add(name)
  return outer
}

/** Converts a value to plain data, as in a catalog without rich data. */
function toCatalogValue(value: Value): Value {
  return readRichData(toRichData(value, { richData: false, bytes: 'binary', warn: () => {} }))
}
