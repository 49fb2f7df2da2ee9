import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { TraceStep } from '../../ruby/trace/trace-step.ts'

/** A group of steps (questions with answers) of a trace. Groups with the same name are equal. */
export interface StepGroup {
  readonly name: string
  readonly steps: readonly TraceStep[]
}

/** Average number of steps in a group. */
const usualSize = 32

/**
 * Divides steps into groups, so that nodes with similar reads have groups in common. Sorts the steps by text, and ends
 * a group after each text whose checksum is a multiple of the usual size. An additional read thus changes only one
 * group.
 */
export function groupSteps(steps: readonly TraceStep[]): readonly StepGroup[] {
  const lines = steps
    .map((step) => ({ step, text: JSON.stringify(toWrittenSteps([step])) }))
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

/** A step in the form of JSON. */
export type WrittenStep = readonly [kind: string, args: TraceStep['question']['args'], answer: string]

/** Converts steps to JSON. */
export function toWrittenSteps(steps: readonly TraceStep[]): readonly WrittenStep[] {
  return steps.map(({ question: { kind, args }, answer }) => [kind, args, answer])
}

/** Reads steps written by `toWrittenSteps`. */
export function parseWrittenSteps(written: readonly WrittenStep[]): readonly TraceStep[] {
  return written.map(([kind, args, answer]) => ({ question: { kind, args }, answer }))
}
