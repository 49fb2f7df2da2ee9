import { throwIssue } from '../../base/issue.ts'
import { assertInstance } from '../../language/functions/definition/assert-instance.ts'
import { parseType } from '../../language/types/from-code/type-parser.ts'
import { toText } from '../../language/types/printing/text.ts'
import { flattenArrays } from '../../language/values/flatten.ts'
import { Hash } from '../../language/values/hash.ts'
import { toMapKey } from '../../language/values/hash-key.ts'
import type { Type } from '../../language/values/type.ts'
import type { Value } from '../../language/values/value.ts'
import { failWithoutLocation } from '../../language/values/verbatim-error.ts'
import { type DeepOptions, mergeDeeply } from './deep-merge.ts'
import { explainStep, type LookupInvocation } from './invocation.ts'
import { hieraIssues } from './issues.ts'
import type { LookupResult } from './lookup-result.ts'

/** A strategy for merging the values of several hierarchy levels. */
export interface MergeStrategy {
  readonly name: string
  /** Calls `ask` for each level, the highest level first, and merges the results. */
  lookup<Level>(
    levels: readonly Level[],
    ask: (level: Level) => LookupResult,
    invocation: LookupInvocation,
  ): LookupResult
}

/**
 * Returns the strategy with a name, or the strategy that a hash with the key `strategy` describes; the default is
 * `first`. Throws ILLEGAL_MERGE.
 */
export function getMergeStrategy(merge: Value): MergeStrategy {
  if (merge === undefined) return first
  const name = merge instanceof Hash ? merge.get('strategy') : merge
  if (name === undefined)
    return failIllegalMerge(
      "The hash given as 'merge' must contain the name of a strategy in string form for the key 'strategy'",
    )
  const make = typeof name === 'string' ? strategies.get(name) : undefined
  if (!make) return failIllegalMerge(`Unknown merge strategy: '${toText(name)}'`)
  return make(merge instanceof Hash ? merge.without(['strategy']) : Hash.empty)
}

/** The strategy that returns the first value found. */
const first: MergeStrategy = {
  name: 'first',
  lookup(levels, ask) {
    for (const level of levels) {
      const found = ask(level)
      if (found) return found
    }
    return undefined
  },
}

/** A strategy that merges two values at a time. */
interface Merger {
  readonly name: string
  /** The type that both values must have. */
  readonly accepts: () => Type
  merge(higher: Value, lower: Value): Value
  /** Converts the first value, before other values are merged into it. */
  begin?(value: Value): Value
  /** Converts the value of the only level, if the hierarchy has a single level. */
  single?(value: Value): Value
}

const hash: Merger = {
  name: 'hash',
  accepts: parseTypeOnce('Hash[String, Data]'),
  merge: (higher, lower) => (lower as Hash).merge(higher as Hash),
}

const unique: Merger = {
  name: 'unique',
  accepts: parseTypeOnce('Variant[Scalar, Array[Data]]'),
  merge: (higher, lower) => removeDuplicates([...toFlatList(higher), ...toFlatList(lower)]),
  begin: toFlatList,
  single: (value) => (Array.isArray(value) ? removeDuplicates(value) : value),
}

function createDeepMerger(options: DeepOptions): Merger {
  return { name: 'deep', accepts: parseTypeOnce('Any'), merge: (higher, lower) => mergeDeeply(higher, lower, options) }
}

const strategies: ReadonlyMap<string, (options: Hash) => MergeStrategy> = new Map([
  ['first', (options: Hash) => rejectOptions(options, first)],
  ['default', (options: Hash) => rejectOptions(options, first)],
  ['hash', (options: Hash) => rejectOptions(options, createMergeStrategy(hash))],
  ['unique', (options: Hash) => rejectOptions(options, createMergeStrategy(unique))],
  ['deep', (options: Hash) => createMergeStrategy(createDeepMerger(parseDeepOptions(options)), options)],
])

function createMergeStrategy(merger: Merger, options: Hash = Hash.empty): MergeStrategy {
  return {
    name: merger.name,
    lookup(levels, ask, invocation) {
      if (levels.length === 0) return undefined
      if (levels.length === 1) {
        const found = ask(levels[0]!)
        return found && merger.single ? { value: merger.single(found.value) } : found
      }
      return explainStep(invocation, { kind: 'merge', strategy: merger.name, options }, () => {
        const merged = mergeAll(merger, levels.values(), ask)
        if (merged) invocation.explainer?.report({ event: 'result', value: merged.value })
        return merged
      })
    },
  }
}

function mergeAll<Level>(merger: Merger, levels: Iterable<Level>, ask: (level: Level) => LookupResult): LookupResult {
  let merged: LookupResult
  for (const level of levels) {
    const found = ask(level)
    if (!found) continue
    if (merged) merged = { value: mergeTwo(merger, merged.value, found.value) }
    else merged = merger.begin ? { value: merger.begin(found.value) } : found
  }
  return merged
}

function mergeTwo(merger: Merger, higher: Value, lower: Value): Value {
  assertMergeable('The first element of the merge', merger.accepts(), higher)
  assertMergeable('The second element of the merge', merger.accepts(), lower)
  return merger.merge(higher, lower)
}

function assertMergeable(subject: string, type: Type, value: Value): void {
  assertInstance(subject, type, value, (message) => failWithoutLocation(hieraIssues.LOOKUP_WRONG_VALUE, { message }))
}

function rejectOptions(options: Hash, strategy: MergeStrategy): MergeStrategy {
  for (const key of options.keys())
    failIllegalMerge(`The merge options has wrong type, unrecognized key '${toText(key)}'`)
  return strategy
}

const optionKinds: Readonly<Record<string, 'string' | 'boolean'>> = {
  knockout_prefix: 'string',
  merge_debug: 'boolean',
  merge_hash_arrays: 'boolean',
  sort_merged_arrays: 'boolean',
}

function parseDeepOptions(options: Hash): DeepOptions {
  for (const [key, value] of options) {
    const kind = typeof key === 'string' ? optionKinds[key] : undefined
    if (!kind) failIllegalMerge(`The merge options has wrong type, unrecognized key '${toText(key)}'`)
    const expected = kind === 'string' ? 'a String' : 'a Boolean'
    if (typeof value !== kind)
      failIllegalMerge(`The merge options has wrong type, entry '${toText(key)}' expects ${expected} value`)
  }
  return {
    knockoutPrefix: options.get('knockout_prefix') as string | undefined,
    mergeHashArrays: options.get('merge_hash_arrays') === true,
    sortMergedArrays: options.get('sort_merged_arrays') === true,
  }
}

function toFlatList(value: Value): readonly Value[] {
  return Array.isArray(value) ? flattenArrays(value) : [value]
}

function removeDuplicates(values: readonly Value[]): Value[] {
  const seen = new Map<unknown, Value>()
  for (const value of values) if (!seen.has(toMapKey(value))) seen.set(toMapKey(value), value)
  return [...seen.values()]
}

function parseTypeOnce(text: string): () => Type {
  let type: Type | undefined
  return () => {
    type ??= parseType(text)
    return type
  }
}

function failIllegalMerge(message: string): never {
  throwIssue(hieraIssues.ILLEGAL_MERGE, { message })
}
