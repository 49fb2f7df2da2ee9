import type { Scope } from '../../language/evaluator/scope.ts'
import type { Explanation } from '../hiera/explainer.ts'
import { lookupKey } from '../hiera/lookup-key.ts'
import type { LookedUp } from '../provenance/evaluated.ts'
import type { Origin } from './origin.ts'

/** Access to the lines of keys in data files, and to the origins of variables in interpolations and data paths. */
export interface DataPlaces {
  lineOf(file: string, key: string): number | undefined
  /** Returns the origins of a variable, given its dotted name. */
  variable(name: string, scope: Scope): readonly Origin[]
}

interface Walk extends DataPlaces {
  readonly key: string
  readonly scope: Scope
}

/** The layer and the level of the current step, during the walk through an explanation. */
interface Reached {
  readonly layer?: string
  readonly level?: string
}

/**
 * Returns the files in which a lookup found its value. For a merge, returns all files that contributed to the value.
 */
export function dataOrigins({ key, scope, explanation }: LookedUp, places: DataPlaces): readonly Origin[] {
  const { root } = lookupKey(key)
  return within(explanation, {}, { ...places, key: root, scope })
}

function within(explanation: Explanation, reached: Reached, walk: Walk): readonly Origin[] {
  const { step, outcome, branches } = explanation
  const inside = (next: Reached) => branches.flatMap((each) => within(each, next, walk))
  switch (step.kind) {
    // A step for `lookup_options` searches for the options of the key, not for the key.
    case 'search':
      return step.key === 'lookup_options' ? [] : inside(reached)
    case 'data_provider': {
      if (!step.name.startsWith('Hierarchy entry')) return inside({ layer: layerOf(step.name) })
      const next = { ...reached, level: step.name.slice('Hierarchy entry "'.length, -1) }
      const below = inside(next)
      return outcome?.event === 'found' && below.length === 0 ? [found(explanation, undefined, next, walk)] : below
    }
    case 'path':
    case 'uri':
      return outcome?.event === 'found' ? [found(explanation, step, reached, walk)] : []
    default:
      return outcome?.event === 'not_found' ? [] : inside(reached)
  }
}

function layerOf(name: string): string {
  const end = name.indexOf(' Data Provider')
  return end < 0 ? name : name.slice(0, end)
}

function found(
  explanation: Explanation,
  step: { readonly kind: 'path' | 'uri'; readonly original: string; readonly location: string } | undefined,
  { layer = '', level = '' }: Reached,
  walk: Walk,
): Origin {
  const file = step?.kind === 'path' ? step.location : undefined
  const texts = [step?.original ?? '', ...interpolated(explanation)]
  const from = [...new Set(texts.flatMap(variablesIn))].flatMap((name) => walk.variable(name, walk.scope))
  return {
    kind: 'data',
    name: walk.key,
    file: file ?? step?.location,
    line: file === undefined ? undefined : walk.lineOf(file, walk.key),
    detail: `level "${level}" of ${layer}`,
    from: [...from, ...explanation.branches.flatMap((each) => nested(each, walk))],
  }
}

function interpolated({ step, branches }: Explanation): string[] {
  return [...(step.kind === 'interpolate' ? [step.expression] : []), ...branches.flatMap(interpolated)]
}

/** Returns the origins of data that the value includes with `%{lookup('key')}`. */
function nested({ step, branches }: Explanation, walk: Walk): readonly Origin[] {
  if (step.kind !== 'search' || step.key === 'lookup_options') return branches.flatMap((each) => nested(each, walk))
  const key = lookupKey(step.key).root
  return branches.flatMap((each) => within(each, {}, { ...walk, key }))
}

/** Data texts with more characters than this limit are not searched for variables. */
const maxInterpolated = 64 * 1024

function expressionsIn(text: string): string[] {
  return text.length > maxInterpolated ? [] : Array.from(text.matchAll(/%\{([^{}]*)\}/g), ([, inner]) => inner!.trim())
}

/**
 * Returns the variable names in a text: `facts.os.family` for `%{facts.os.family}`. Skips calls such as
 * `%{lookup('key')}`.
 */
function variablesIn(text: string): string[] {
  return expressionsIn(text)
    .map((each) => each.replace(/^scope\(["']([^"']*)["']\)$/, '$1').replace(/^::/, ''))
    .filter((each) => each !== '' && !each.includes('('))
}
