import { rubyInspect } from '../../language/types/printing/ruby-text.ts'
import { toText } from '../../language/types/printing/text.ts'
import { Hash } from '../../language/values/hash.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import type { Explanation, Outcome, Step } from './explainer.ts'

/** Returns an explanation as `puppet lookup --explain` prints it. Puppet: pops/lookup/explainer.rb. */
export function explanationText(explanation: Explanation): string {
  return linesOf(explanation)
    .map((line) => `${line}\n`)
    .join('')
}

/** Returns the lines of a step, followed by the indented lines of its substeps. */
function linesOf(explanation: Explanation): string[] {
  const { step, outcome, texts, branches } = explanation
  const inside = branches.flatMap(linesOf)
  switch (step.kind) {
    case 'root':
      return [...inside, ...texts]
    case 'merge':
      return mergeLines(step, explanation, inside)
    case 'segment':
      return [...outcomeLines(outcome), ...texts]
    case 'search':
    case 'interpolate':
      return [...titleOf(step), ...indented(inside)]
    case 'module':
      return moduleLines(step, outcome)
    case 'path':
    case 'uri':
      return [...titleOf(step), ...indented([...inside, ...locationLines(step, outcome), ...texts])]
    default:
      return [...titleOf(step), ...indented([...inside, ...outcomeLines(outcome), ...texts])]
  }
}

function titleOf(step: Exclude<Step, { readonly kind: 'root' | 'merge' | 'segment' | 'module' }>): string[] {
  switch (step.kind) {
    case 'search':
      return [`Searching for "${step.key}"`]
    case 'invalid_key':
      return [`Invalid key "${step.key}"`]
    case 'merge_source':
      return [`Using merge options from "${step.source}" hash`]
    case 'interpolate':
      return [`Interpolation on "${step.expression}"`]
    case 'data_provider':
      return step.configuration === undefined
        ? [step.name]
        : [step.name, `  Using configuration "${step.configuration}"`]
    case 'path':
      return [`Path "${step.location}"`, `  Original path: "${step.original}"`]
    case 'uri':
      return [`URI "${step.location}"`, `  Original uri: "${step.original}"`]
    case 'sub_key':
      return [`Sub key: "${step.key}"`]
    case 'scope':
      return [step.name]
  }
}

/** Returns the lines of a merge. For a merge with fewer than two branches, only the branch is printed. */
function mergeLines(
  { strategy, options }: Extract<Step, { readonly kind: 'merge' }>,
  { branches, outcome }: Explanation,
  inside: readonly string[],
): string[] {
  if (branches.length < 2) return [...inside]
  return [
    `Merge strategy ${strategy}`,
    ...indented([
      ...(options.size > 0 ? withValue('Options: ', options) : []),
      ...inside,
      ...(outcome?.event === 'result' ? withValue('Merged result: ', outcome.value) : []),
    ]),
  ]
}

function moduleLines({ name }: Extract<Step, { readonly kind: 'module' }>, outcome: Outcome | undefined): string[] {
  if (outcome?.event === 'module_not_found') return [`Module "${name}" not found`]
  return [`Module data provider for module "${name}" not found`]
}

function locationLines({ kind }: Step, outcome: Outcome | undefined): string[] {
  if (outcome?.event === 'location_not_found') return [`${kind === 'path' ? 'Path' : 'URI'} not found`]
  return outcomeLines(outcome)
}

function outcomeLines(outcome: Outcome | undefined): string[] {
  switch (outcome?.event) {
    case 'not_found':
      return [`No such key: "${outcome.key}"`]
    case 'found':
    case 'found_in_overrides':
    case 'found_in_defaults':
      return withValue(`Found key: "${outcome.key}" value: `, outcome.value, where[outcome.event])
    default:
      return []
  }
}

const where = { found: '', found_in_overrides: ' in overrides', found_in_defaults: ' in defaults' }

function withValue(before: string, value: Value, after = ''): string[] {
  return `${before}${valueText(value)}${after}`.split('\n')
}

function valueText(value: Value): string {
  if (value instanceof Hash)
    return within(
      '{',
      Array.from(value, ([key, item]) => `${valueText(key)} => ${valueText(item)}`),
      '}',
    )
  if (Array.isArray(value)) return within('[', value.map(valueText), ']')
  return value instanceof Sensitive ? toText(value) : rubyInspect(value)
}

function within(open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return `${open}${close}`
  return `${open}\n${indented(items.join(',\n').split('\n')).join('\n')}\n${close}`
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
