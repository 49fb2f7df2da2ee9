import type { Hash } from '../../language/values/hash.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'

/** Steps of a lookup. Puppet has a class for each kind of step: pops/lookup/explainer.rb. */
export type LookupStep =
  | { readonly kind: 'root' }
  | { readonly kind: 'search' | 'invalid_key'; readonly key: string }
  | { readonly kind: 'merge_source'; readonly source: string }
  | { readonly kind: 'module'; readonly name: string }
  | { readonly kind: 'interpolate'; readonly expression: string }
  | { readonly kind: 'merge'; readonly strategy: string; readonly options: Hash }
  | {
      readonly kind: 'data_provider'
      readonly name: string
      readonly configuration?: string | undefined
      readonly module?: string | undefined
    }
  | { readonly kind: 'path' | 'uri'; readonly original: string; readonly location: string }
  | { readonly kind: 'sub_key'; readonly key: string }
  | { readonly kind: 'segment' }
  | { readonly kind: 'scope'; readonly name: string }

/** Outcomes of a step. */
export type LookupOutcome =
  | {
      readonly event: 'found' | 'found_in_overrides' | 'found_in_defaults'
      readonly key: string
      readonly value: Value
    }
  | { readonly event: 'not_found'; readonly key: string }
  | { readonly event: 'result'; readonly value: Value }
  | { readonly event: 'location_not_found' | 'module_not_found' | 'module_provider_not_found' }

/** The explanation of a lookup step: the step, its outcome, and its substeps. */
export interface Explanation {
  readonly step: LookupStep
  readonly outcome: LookupOutcome | undefined
  readonly texts: readonly string[]
  readonly branches: readonly Explanation[]
}

interface Growing extends Explanation {
  outcome: LookupOutcome | undefined
  readonly texts: string[]
  readonly branches: Growing[]
}

/** Options of an Explainer. */
export interface ExplainerOptions {
  readonly onlyOptions?: boolean
  /** Returns the path to display for a file path; by default, paths are unchanged. */
  readonly showPath?: (path: string) => string
}

/** Records the steps of a lookup. */
export class Explainer {
  /** True to look up only `lookup_options`, and no data. */
  readonly onlyOptions: boolean
  readonly #showPath: (path: string) => string
  readonly #root = createExplanation({ kind: 'root' })
  #current = this.#root

  constructor({ onlyOptions = false, showPath = (path) => path }: ExplainerOptions = {}) {
    this.onlyOptions = onlyOptions
    this.#showPath = showPath
  }

  get explanation(): Explanation {
    return this.#root
  }

  /** Runs `work` as a substep of the current step. */
  within<Result>(step: LookupStep, work: () => Result): Result {
    const outer = this.#current
    this.#current = createExplanation(this.#shown(step))
    outer.branches.push(this.#current)
    try {
      return work()
    } finally {
      this.#current = outer
    }
  }

  /** Adds a step without substeps. */
  add(step: LookupStep, outcome?: LookupOutcome): void {
    this.#current.branches.push({ ...createExplanation(this.#shown(step)), outcome })
  }

  /** Records the outcome of the current step. */
  report(outcome: LookupOutcome): void {
    this.#current.outcome = outcome
  }

  /** Redacts the values in the last substep and in its own substeps. */
  redactLast(): void {
    const last = this.#current.branches.at(-1)
    if (last) redactValues(last)
  }

  /** Adds a remark to the current step. */
  say(text: string): void {
    this.#current.texts.push(text)
  }

  #shown(step: LookupStep): LookupStep {
    if (step.kind === 'path') return { ...step, location: this.#showPath(step.location) }
    if (step.kind !== 'data_provider' || step.configuration === undefined) return step
    return { ...step, configuration: this.#showPath(step.configuration) }
  }
}

function redactValues(explanation: Growing): void {
  const { outcome, branches } = explanation
  if (outcome && 'value' in outcome) explanation.outcome = { ...outcome, value: new Sensitive(outcome.value) }
  for (const each of branches) redactValues(each)
}

function createExplanation(step: LookupStep): Growing {
  return { step, outcome: undefined, texts: [], branches: [] }
}
