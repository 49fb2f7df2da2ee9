import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Step } from '../../ruby/trace/step.ts'

/** Some questions of a trace, with their answers. Two groups of one name are the same. */
export interface StepGroup {
  readonly name: string
  readonly steps: readonly Step[]
}

/** Steps of a group, on average. */
const usualSize = 32

/**
 * The steps in groups, of which nodes that read much alike have most in common: in the order of their texts, cut behind
 * every text whose checksum is a multiple of the usual size. What one node read more than another so changes one group.
 */
export function groupsOf(steps: readonly Step[]): readonly StepGroup[] {
  const lines = steps
    .map((step) => ({ step, text: JSON.stringify(writtenSteps([step])) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
  const groups: StepGroup[] = []
  let from = 0
  for (const [at, { text }] of lines.entries()) {
    if (crc32(text) % usualSize !== 0 && at + 1 < lines.length) continue
    const group = lines.slice(from, at + 1)
    const name = hash('sha256', group.map((line) => line.text).join('\n'), 'base64')
    groups.push({ name, steps: group.map((line) => line.step) })
    from = at + 1
  }
  return groups
}

/** A step in JSON. */
export type WrittenStep = readonly [kind: string, args: Step['question']['args'], answer: string]

/** Steps as they are written. */
export function writtenSteps(steps: readonly Step[]): readonly WrittenStep[] {
  return steps.map(({ question: { kind, args }, answer }) => [kind, args, answer])
}

/** Steps as `writtenSteps` has them. */
export function stepsFrom(written: readonly WrittenStep[]): readonly Step[] {
  return written.map(([kind, args, answer]) => ({ question: { kind, args }, answer }))
}
