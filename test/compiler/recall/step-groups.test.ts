import { expect, it } from 'vitest'
import { groupsOf } from '../../../src/compiler/recall/step-groups.ts'
import type { Step } from '../../../src/ruby/trace/step.ts'

function step(name: string, answer = 'file'): Step {
  return { question: { kind: 'kind', args: ['0', name] }, answer }
}

const steps = Array.from({ length: 2000 }, (_, at) => step(`modules/m${at}/manifests/init.pp`))
const names = (some: readonly Step[]) => groupsOf(some).map(({ name }) => name)

it('are the same for the same steps, in whatever order they were asked', () => {
  expect(names([...steps].reverse())).toEqual(names(steps))
  expect(groupsOf(steps).flatMap((group) => group.steps)).toHaveLength(steps.length)
  expect(groupsOf([])).toEqual([])
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
