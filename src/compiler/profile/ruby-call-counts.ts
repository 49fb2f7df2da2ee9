import type { ObservedCall } from '../../ruby/session/session.ts'

/**
 * Outcomes of Ruby calls. `recorded` calls ran, and a later compilation may recall them. The other calls ran, and the next
 * compilation runs them again, because of
 * - `off`: recall is turned off;
 * - `code`: the code may keep or read state, as far as its text tells;
 * - `loading`: the files of the code have to be loaded first;
 * - `values`: arguments or results that exist in one catalog only;
 * - `queries`: an input whose reply cannot be compared;
 * - `effects`: effects, or state that was changed or read;
 * - `failed`: an error.
 */
export const rubyCallOutcomes = [
  'recalled',
  'recorded',
  'off',
  'code',
  'loading',
  'values',
  'queries',
  'effects',
  'failed',
  'other',
] as const
/** The outcome of a Ruby call. */
export type RubyCallOutcome = (typeof rubyCallOutcomes)[number]

/** Beginnings and ends of the reasons that `src/ruby` gives. The first match decides. */
const reasons: readonly (readonly [pattern: RegExp, outcome: RubyCallOutcome])[] = [
  [/^recall is off$/, 'off'],
  [/^fails$/, 'failed'],
  [/^has not been loaded yet$/, 'loading'],
  [/^(?:has arguments of this catalog only|returns .*|caches a numbered object)$/, 'values'],
  [/^(?:asks .*|uses .* of another scope|has no key)$/, 'queries'],
  [/^(?:has effects|runs a function with side effects|uses .*, which has side effects)$/, 'effects'],
  [/^(?:reads a variable stored in Ruby|sets .*|uses the cache of another lookup|has a cache)$/, 'effects'],
  [/^(?:chance|lacks .*|changes what others have|file data that is more than a file)$/, 'effects'],
  [/^(?:is not |is too long|names |changes |calls |has |keeps |captures |checks |computes |renders )/, 'code'],
  [/^(?:code |a different result |defines |memoizes |stores |uses )/, 'code'],
  [/ (?:is redefined|reads files that are not code|adds \S+)$/, 'code'],
]

/** Returns the group of an observed call, for metrics: reasons contain names, so there are any number of them. */
export function classifyRubyCall({ isRecalled, reason }: Omit<ObservedCall, 'label'>): RubyCallOutcome {
  if (isRecalled) return 'recalled'
  if (reason === undefined) return 'recorded'
  return reasons.find(([pattern]) => pattern.test(reason))?.[1] ?? 'other'
}

/** Numbers of Ruby calls by outcome; outcomes without calls are missing. */
export class RubyCallCounts {
  readonly byOutcome: Partial<Record<RubyCallOutcome, number>> = {}

  count(call: ObservedCall): void {
    const outcome = classifyRubyCall(call)
    this.byOutcome[outcome] = (this.byOutcome[outcome] ?? 0) + 1
  }
}
