import { Hash } from '../../language/values/hash.ts'
import type { Value } from '../../language/values/value.ts'
import type { Explanation, LookupOutcome, LookupStep } from './explainer.ts'

/** A word that Ruby prints as a symbol in the explanation. */
export class Word {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** An explanation as a hash; keys and their order are as in Puppet. */
export interface ExplanationData {
  readonly [key: string]: Value | Word | readonly ExplanationData[] | undefined
}

/**
 * Returns an explanation as in `puppet lookup --explain --render-as json`.
 * Puppet: pops/lookup/explainer.rb, `to_hash`.
 */
export function toExplanationData({ branches, step, texts, outcome }: Explanation): ExplanationData {
  const [only] = branches
  if ((step.kind === 'root' || step.kind === 'merge') && only && branches.length === 1) return toExplanationData(only)
  const inside = branches.length > 0 ? { branches: branches.map(toExplanationData) } : {}
  if (step.kind === 'root') return inside
  if (step.kind === 'merge_source') return { type: new Word('merge_source'), merge_source: step.source }
  return {
    ...inside,
    ...getStepKey(step, outcome),
    ...(outcome && 'value' in outcome ? { value: outcome.value } : {}),
    ...(outcome ? { event: new Word(outcome.event) } : {}),
    ...(texts.length > 0 ? { texts: [...texts] } : {}),
    type: new Word(step.kind === 'search' ? 'root' : step.kind),
    ...getStepDetails(step),
  }
}

function getStepKey(step: LookupStep, outcome: LookupOutcome | undefined): ExplanationData {
  if (step.kind === 'search' || step.kind === 'invalid_key') return { key: step.key }
  return outcome && 'key' in outcome ? { key: outcome.key } : {}
}

function getStepDetails(step: LookupStep): ExplanationData {
  switch (step.kind) {
    case 'interpolate':
      return { expression: step.expression }
    case 'merge': {
      const { options } = step
      return { merge: new Word(step.strategy), ...(options.size > 0 ? { options: Hash.of(options) } : {}) }
    }
    case 'data_provider':
      return {
        name: step.name,
        ...(step.configuration === undefined ? {} : { configuration_path: step.configuration }),
        ...(step.module === undefined ? {} : { module: step.module }),
      }
    case 'path':
      return { original_path: step.original, path: step.location }
    case 'uri':
      return { original_uri: step.original, uri: step.location }
    case 'scope':
      return { name: step.name }
    default:
      return {}
  }
}
