import type { Json } from '../../../base/json/json-checks.ts'
import type { CallContext } from '../../../language/host.ts'
import type { ObjectValue } from '../../../language/values/object.ts'
import type { QuestionKind, QuestionKinds } from '../../trace/trace-question.ts'
import type { RubySession } from '../session.ts'
import type { ContextCache } from './context-cache.ts'

/** The context of a Ruby call. */
export interface Asker {
  readonly session: RubySession
  readonly context: CallContext
  readonly scope: number
  /** The lookup context among the arguments, with its cache, if any. */
  readonly lookup: { readonly object: ObjectValue; readonly cache: ContextCache } | undefined
  /** Schedules the recalled call to run before Ruby next runs in its scope, or in any scope with `everywhere`. */
  makeLater(options?: { readonly everywhere: boolean }): void
}

/** Name in traces for the call's own scope. Traces contain no scope numbers, which differ between catalogs. */
export const ownScope = 'own'
/** Name in traces for the top scope, in calls made from another scope. */
export const topScope = 'top'

/** Functions implemented in this program that depend only on their arguments and have no side effects. */
export const pureFunctions: ReadonlySet<string> = new Set([
  ...['abs', 'apache::bool2httpd', 'bool2httpd', 'camelcase', 'capitalize', 'ceiling', 'chomp', 'chop', 'compare'],
  ...['downcase', 'empty', 'flatten', 'floor', 'join', 'keys', 'length', 'lstrip', 'max', 'md5', 'min', 'regsubst'],
  ...['round', 'rstrip', 'sha1', 'sha256', 'size', 'sort', 'split', 'sprintf', 'strip', 'unique', 'upcase', 'values'],
  ...['versioncmp'],
])

/**
 * Functions that look up data, query the store or render templates; the reads that they cause are recorded while
 * they run.
 */
export const readingFunctions: ReadonlySet<string> = new Set([
  ...['hiera', 'hiera_array', 'hiera_hash', 'inline_template', 'lookup', 'puppetdb_query', 'template'],
])

/** Queries whose replies depend only on the code, which is part of a trace's key. Ruby caches the replies. */
export const codeQuestions: ReadonlySet<string> = new Set(['legacy_function'])

const always = { repeatable: () => true, aboutScope: false, reenters: false } as const

/** Queries about names, the node, types of values, and the current catalog. */
const plain: readonly string[] = [
  ...['find_file', 'module', 'modules', 'modulepath', 'environment', 'setting', 'fact', 'type_file'],
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
/** Queries that may make the host run Ruby while it finds the reply. */
const reentering: readonly string[] = ['type', 'type_known', 'has_resource']
const aboutScopes: readonly string[] = ['scope', 'variable', 'variables', 'defaults']

/** Queries that a trace may contain, by name, with their properties. */
export const traceQuestions: QuestionKinds<Asker> = {
  ...createQuestionTable(plain, {}),
  ...createQuestionTable(reentering, { reenters: true }),
  // A query for all variables would be too large to compare.
  ...createQuestionTable(aboutScopes, { aboutScope: true, repeatable: ([, names]) => names !== null }),
  /** Calls of functions; the session admits only functions that are traced or have no side effects (`isReading`). */
  ...createQuestionTable(['call'], { aboutScope: true, reenters: true }),

  /** Interpolates a text of lookup data; see LookupContext. */
  interpolate: {
    ...always,
    answer: ({ session, context, lookup }, [value = null]) =>
      lookup && session.interpolateAgain(lookup.object, value, context),
    reenters: true,
  },
  /** Returns a value cached in a lookup context. */
  cached: { ...always, answer: ({ lookup }, [key = null]) => lookup?.cache.answer(key) },

  /** The state of the first paths that machines read while they load code. */
  beside: { ...always, answer: ({ session }, [count]) => session.calls.loading.hashPathsBeside(count as number) },

  // Files, folders and the clock, as Ruby sees them.
  path: { ...always, answer: ({ session }, [path]) => session.surroundings.pathAnswer(String(path)) },
  folder: { ...always, answer: ({ session }, [path]) => session.surroundings.folderAnswer(String(path)) },
  clock: { ...always, answer: ({ session }) => String(session.surroundings.time) },
}

/** Returns a table for prelude queries with these names. */
function createQuestionTable(
  names: readonly string[],
  { reenters = false, aboutScope = false, repeatable = always.repeatable }: Partial<QuestionKind<Asker>>,
): QuestionKinds<Asker> {
  const createQuestionKind = (name: string): QuestionKind<Asker> => ({
    answer: ({ session, scope }, args) => session.answerAgain(name, aboutScope ? replaceScopeRole(args, scope) : args),
    repeatable,
    aboutScope,
    reenters,
  })
  return Object.fromEntries(names.map((name) => [name, createQuestionKind(name)]))
}

/** Replaces the name of a scope (`own` or `top`) in the arguments by the scope's number in this catalog. */
function replaceScopeRole([role = null, ...rest]: readonly Json[], own: number): readonly Json[] {
  return [role === ownScope ? own : 0, ...rest]
}
