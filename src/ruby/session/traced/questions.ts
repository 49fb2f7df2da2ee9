import type { Json } from '../../../base/json/wire.ts'
import type { CallContext } from '../../../language/host.ts'
import type { ObjectValue } from '../../../language/values/object.ts'
import type { QuestionKind, QuestionKinds } from '../../trace/question.ts'
import type { RubySession } from '../session.ts'
import type { ContextCache } from './context-cache.ts'

/** For whom a call of Ruby's is made. */
export interface Asker {
  readonly session: RubySession
  readonly context: CallContext
  readonly scope: number
  /** The lookup context among the arguments, if there is one, and what is kept for it. */
  readonly lookup: { readonly object: ObjectValue; readonly cache: ContextCache } | undefined
  /** Makes the call after all, before Ruby runs in its scope for another one. */
  makeLater(): void
}

/** Role of the scope that a call is made in; scopes have other numbers in each catalog. */
export const ownScope = 'own'
/** Role of the top scope, where calls are made in another one. */
export const topScope = 'top'

/** Functions of ours that give the same for the same arguments, and do nothing else. */
export const pureFunctions: ReadonlySet<string> = new Set([
  ...['abs', 'apache::bool2httpd', 'bool2httpd', 'camelcase', 'capitalize', 'ceiling', 'chomp', 'chop', 'compare'],
  ...['downcase', 'empty', 'flatten', 'floor', 'join', 'keys', 'length', 'lstrip', 'max', 'md5', 'min', 'regsubst'],
  ...['round', 'rstrip', 'sha1', 'sha256', 'size', 'sort', 'split', 'sprintf', 'strip', 'unique', 'upcase', 'values'],
  ...['versioncmp'],
])

/** Functions that ask data, or render; what they lead to is looked at while they do. */
export const readingFunctions: ReadonlySet<string> = new Set([
  ...['hiera', 'hiera_array', 'hiera_hash', 'inline_template', 'lookup', 'puppetdb_query', 'template'],
])

const always = { repeatable: () => true, aboutScope: false, reenters: false } as const

/** About names, the node, values by the types of manifests, and the catalog as it is when they are asked. */
const plain: readonly string[] = [
  ...['find_file', 'module', 'modules', 'modulepath', 'environment', 'setting', 'fact', 'legacy_function', 'type_file'],
  ...['has_providers', 'builtin_type', 'class_known', 'parameters', 'instance', 'assignable', 'infer', 'infer_set'],
  ...[
    'generalize',
    'mismatch',
    'describe_mismatch',
    'to_data',
    'compare_versions',
    'version_in_range',
    'puppetdb_query',
  ],
]
/** Plain questions that the host may run Ruby to answer. */
const reentering: readonly string[] = ['type', 'type_known', 'has_resource']
const aboutScopes: readonly string[] = ['scope', 'variable', 'variables', 'defaults']

/** Questions of Ruby's that a trace may have, by name: how each is answered, whether it may be asked again, and the like. */
export const questions: QuestionKinds<Asker> = {
  ...table(plain, {}),
  ...table(reentering, { reenters: true }),
  // All variables would be too much to compare.
  ...table(aboutScopes, { aboutScope: true, repeatable: ([, names]) => names !== null }),
  /** The session lets through those calls that do no more than to answer. */
  ...table(['call'], { aboutScope: true, reenters: true }),

  /** A text of a lookup's data; see LookupContext. */
  interpolate: {
    ...always,
    answer: ({ session, context, lookup }, [value = null]) =>
      lookup && session.interpolateAgain(lookup.object, value, context),
    reenters: true,
  },
  /** A value that is cached in a lookup context. */
  cached: { ...always, answer: ({ lookup }, [key = null]) => lookup?.cache.answer(key) },

  // Files, folders and the clock, as Ruby sees them.
  path: { ...always, answer: ({ session }, [path]) => session.surroundings.pathAnswer(String(path)) },
  folder: { ...always, answer: ({ session }, [path]) => session.surroundings.folderAnswer(String(path)) },
  clock: { ...always, answer: ({ session }) => String(session.surroundings.time) },
}

/** Questions that the prelude asks by these names. */
function table(
  names: readonly string[],
  { reenters = false, aboutScope = false, repeatable = always.repeatable }: Partial<QuestionKind<Asker>>,
): QuestionKinds<Asker> {
  const kind = (name: string): QuestionKind<Asker> => ({
    answer: ({ session, scope }, args) => session.answerAgain(name, aboutScope ? inScope(args, scope) : args),
    repeatable,
    aboutScope,
    reenters,
  })
  return Object.fromEntries(names.map((name) => [name, kind(name)]))
}

/** Arguments that begin with the role of a scope, with its number in this catalog. */
function inScope([role = null, ...rest]: readonly Json[], own: number): readonly Json[] {
  return [role === ownScope ? own : 0, ...rest]
}
