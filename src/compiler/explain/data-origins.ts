import type { Scope } from '../../language/evaluator/scope.ts'
import type { Explanation } from '../hiera/explainer.ts'
import { parseLookupKey } from '../hiera/lookup-key.ts'
import type { LookupEvaluation } from '../provenance/node-evaluation.ts'
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
export function findDataOrigins({ key, scope, explanation }: LookupEvaluation, places: DataPlaces): readonly Origin[] {
  const { root } = parseLookupKey(key)
  return collectStepOrigins(explanation, {}, { ...places, key: root, scope })
}

function collectStepOrigins(explanation: Explanation, reached: Reached, walk: Walk): readonly Origin[] {
  const { step, outcome, branches } = explanation
  const collectBranchOrigins = (next: Reached) => branches.flatMap((each) => collectStepOrigins(each, next, walk))
  switch (step.kind) {
    // The substep for `lookup_options` looks up the options of the key, not its value.
    case 'search':
      return step.key === 'lookup_options' ? [] : collectBranchOrigins(reached)
    case 'data_provider': {
      if (!step.name.startsWith('Hierarchy entry')) return collectBranchOrigins({ layer: getLayerName(step.name) })
      const next = { ...reached, level: step.name.slice('Hierarchy entry "'.length, -1) }
      const below = collectBranchOrigins(next)
      return outcome?.event === 'found' && below.length === 0
        ? [createDataOrigin(explanation, undefined, next, walk)]
        : below
    }
    case 'path':
    case 'uri':
      return outcome?.event === 'found' ? [createDataOrigin(explanation, step, reached, walk)] : []
    default:
      return outcome?.event === 'not_found' ? [] : collectBranchOrigins(reached)
  }
}

function getLayerName(name: string): string {
  const end = name.indexOf(' Data Provider')
  return end < 0 ? name : name.slice(0, end)
}

function createDataOrigin(
  explanation: Explanation,
  step: { readonly kind: 'path' | 'uri'; readonly original: string; readonly location: string } | undefined,
  { layer = '', level = '' }: Reached,
  walk: Walk,
): Origin {
  const file = step?.kind === 'path' ? step.location : undefined
  const texts = [step?.original ?? '', ...listInterpolatedTexts(explanation)]
  const from = [...new Set(texts.flatMap(listInterpolatedVariables))].flatMap((name) => walk.variable(name, walk.scope))
  return {
    kind: 'data',
    name: walk.key,
    file: file ?? step?.location,
    line: file === undefined ? undefined : walk.lineOf(file, walk.key),
    detail: `level "${level}" of ${layer}`,
    from: [...from, ...explanation.branches.flatMap((each) => findNestedOrigins(each, walk))],
  }
}

function listInterpolatedTexts({ step, branches }: Explanation): string[] {
  return [...(step.kind === 'interpolate' ? [step.expression] : []), ...branches.flatMap(listInterpolatedTexts)]
}

/** Returns the origins of data that the value includes with `%{lookup('key')}`. */
function findNestedOrigins({ step, branches }: Explanation, walk: Walk): readonly Origin[] {
  if (step.kind !== 'search' || step.key === 'lookup_options')
    return branches.flatMap((each) => findNestedOrigins(each, walk))
  const key = parseLookupKey(step.key).root
  return branches.flatMap((each) => collectStepOrigins(each, {}, { ...walk, key }))
}

/** Data texts with more characters than this limit are not searched for variables. */
const maxInterpolated = 64 * 1024

function listInterpolations(text: string): string[] {
  return text.length > maxInterpolated ? [] : Array.from(text.matchAll(/%\{([^{}]*)\}/g), ([, inner]) => inner!.trim())
}

/**
 * Returns the variable names in a text: `facts.os.family` for `%{facts.os.family}`. Skips calls such as
 * `%{lookup('key')}`.
 */
function listInterpolatedVariables(text: string): string[] {
  return listInterpolations(text)
    .map((each) => each.replace(/^scope\(["']([^"']*)["']\)$/, '$1').replace(/^::/, ''))
    .filter((each) => each !== '' && !each.includes('('))
}
