import { inspectValue } from '../../language/types/printing/ruby-text.ts'
import { toText } from '../../language/types/printing/text.ts'
import { Hash } from '../../language/values/hash.ts'
import { Sensitive } from '../../language/values/sensitive.ts'
import type { Value } from '../../language/values/value.ts'
import type { Explanation, LookupOutcome, LookupStep } from './explainer.ts'

/** Returns an explanation as `puppet lookup --explain` prints it. Puppet: pops/lookup/explainer.rb. */
export function formatExplanation(explanation: Explanation): string {
  return formatStep(explanation)
    .map((line) => `${line}\n`)
    .join('')
}

/** Returns the lines of a step, followed by the indented lines of its substeps. */
function formatStep(explanation: Explanation): string[] {
  const { step, outcome, texts, branches } = explanation
  const inside = branches.flatMap(formatStep)
  switch (step.kind) {
    case 'root':
      return [...inside, ...texts]
    case 'merge':
      return formatMerge(step, explanation, inside)
    case 'segment':
      return [...formatOutcome(outcome), ...texts]
    case 'search':
    case 'interpolate':
      return [...formatStepTitle(step), ...indentLines(inside)]
    case 'module':
      return formatModule(step, outcome)
    case 'path':
    case 'uri':
      return [...formatStepTitle(step), ...indentLines([...inside, ...formatLocation(step, outcome), ...texts])]
    default:
      return [...formatStepTitle(step), ...indentLines([...inside, ...formatOutcome(outcome), ...texts])]
  }
}

function formatStepTitle(
  step: Exclude<LookupStep, { readonly kind: 'root' | 'merge' | 'segment' | 'module' }>,
): string[] {
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
function formatMerge(
  { strategy, options }: Extract<LookupStep, { readonly kind: 'merge' }>,
  { branches, outcome }: Explanation,
  inside: readonly string[],
): string[] {
  if (branches.length < 2) return [...inside]
  return [
    `Merge strategy ${strategy}`,
    ...indentLines([
      ...(options.size > 0 ? formatValueLines('Options: ', options) : []),
      ...inside,
      ...(outcome?.event === 'result' ? formatValueLines('Merged result: ', outcome.value) : []),
    ]),
  ]
}

function formatModule(
  { name }: Extract<LookupStep, { readonly kind: 'module' }>,
  outcome: LookupOutcome | undefined,
): string[] {
  if (outcome?.event === 'module_not_found') return [`Module "${name}" not found`]
  return [`Module data provider for module "${name}" not found`]
}

function formatLocation({ kind }: LookupStep, outcome: LookupOutcome | undefined): string[] {
  if (outcome?.event === 'location_not_found') return [`${kind === 'path' ? 'Path' : 'URI'} not found`]
  return formatOutcome(outcome)
}

function formatOutcome(outcome: LookupOutcome | undefined): string[] {
  switch (outcome?.event) {
    case 'not_found':
      return [`No such key: "${outcome.key}"`]
    case 'found':
    case 'found_in_overrides':
    case 'found_in_defaults':
      return formatValueLines(`Found key: "${outcome.key}" value: `, outcome.value, where[outcome.event])
    default:
      return []
  }
}

const where = { found: '', found_in_overrides: ' in overrides', found_in_defaults: ' in defaults' }

function formatValueLines(before: string, value: Value, after = ''): string[] {
  return `${before}${formatValue(value)}${after}`.split('\n')
}

function formatValue(value: Value): string {
  if (value instanceof Hash)
    return formatItems(
      '{',
      Array.from(value, ([key, item]) => `${formatValue(key)} => ${formatValue(item)}`),
      '}',
    )
  if (Array.isArray(value)) return formatItems('[', value.map(formatValue), ']')
  return value instanceof Sensitive ? toText(value) : inspectValue(value)
}

function formatItems(open: string, items: readonly string[], close: string): string {
  if (items.length === 0) return `${open}${close}`
  return `${open}\n${indentLines(items.join(',\n').split('\n')).join('\n')}\n${close}`
}

function indentLines(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`)
}
