import { expect, it } from 'vitest'
import { groupSteps } from '../../../src/compiler/recall/trace-step-groups.ts'
import type { TraceStep } from '../../../src/ruby/trace/trace-step.ts'

function step(name: string, answer = 'file'): TraceStep {
  return { question: { kind: 'kind', args: ['0', name] }, answer }
}

const steps = Array.from({ length: 2000 }, (_, at) => step(`modules/m${at}/manifests/init.pp`))
const names = (some: readonly TraceStep[]) => groupSteps(some).map(({ name }) => name)

it('are the same for the same steps, in whatever order they were asked', () => {
  expect(names([...steps].reverse())).toEqual(names(steps))
  expect(groupSteps(steps).flatMap((group) => group.steps)).toHaveLength(steps.length)
  expect(groupSteps([])).toEqual([])
})

it('are some tens of steps each', () => {
  const { length } = names(steps)
  expect(length).toBeGreaterThan(30)
  expect(length).toBeLessThan(130)
})

it.each([
  ['has one more', [...steps, step('data/nodes/web1.yaml')]],
  ['has one less', steps.filter((_, at) => at !== 700)],
  ['was answered otherwise', steps.map((each, at) => (at === 700 ? step('modules/m700/manifests/init.pp', '') : each))],
])('but for two, are those of a node that %s', (_, other) => {
  const known = new Set(names(steps))
  const own = names(other).filter((name) => !known.has(name))
  expect(own.length).toBeGreaterThanOrEqual(1)
  expect(own.length).toBeLessThanOrEqual(2)
})
