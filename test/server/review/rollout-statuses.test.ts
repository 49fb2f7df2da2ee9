import { expect, it } from 'vitest'
import type { CommitStatus } from '../../../src/deploy/review/git-host.ts'
import type { RolloutAction } from '../../../src/deploy/rollout/rollout-state.ts'
import type { CodeSource } from '../../../src/deploy/sources/code-source.ts'
import { RolloutStatuses } from '../../../src/server/review/rollout-statuses.ts'

const source = { name: 'control', review: { consoleUrl: 'https://puppet.example.com/ui' } } as CodeSource

function open(hostFails = false) {
  const sent: (readonly [string, CommitStatus, string | undefined])[] = []
  const warnings: string[] = []
  const statuses = new RolloutStatuses({
    findSource: (environment) => (environment === 'production' ? source : undefined),
    openHost: () => ({
      maxDescription: 40,
      async setStatus(commit, status, name) {
        if (hostFails) throw new Error('502')
        sent.push([commit, status, name])
      },
    }),
    toSourceCommit: async (commit) => `source of ${commit}`,
    warn: (message) => warnings.push(message),
  })
  const publish = (action: RolloutAction, reason?: string, environment = 'production') =>
    statuses.publish({
      environment,
      step: { at: 1, action, ...(reason !== undefined && { reason }) },
      state: {
        ...{ stable: 'A', history: [] },
        rollout: {
          ...{ number: 1, document: 1, from: 'A', to: 'B', phase: 'running', begun: 0, started: [] },
          ...{ approved: [], kept: [], steps: [] },
        },
      },
    })
  return { sent, warnings, publish }
}

it('shows the steps of a rollout at the pushed commit, in their order', async () => {
  const { sent, publish } = open()
  for (const action of ['begin', 'prepare', 'start', 'halt'] as const)
    publish(action, 'a reason that is longer than 40')
  publish('complete', undefined, 'other')
  await expect
    .poll(() => sent.map(([commit, { state }, name]) => [commit, state, name]))
    .toEqual([
      ['source of B', 'pending', 'plumbline/rollout'],
      ['source of B', 'pending', 'plumbline/rollout'],
      ['source of B', 'failure', 'plumbline/rollout'],
    ])
  expect(sent.at(-1)![1]).toMatchObject({
    description: 'production: halt: a reason that is longe',
    url: 'https://puppet.example.com/ui',
  })
})

it('logs a failure of the host', async () => {
  const { warnings, publish } = open(true)
  publish('halt')
  await expect.poll(() => warnings).toEqual(['The status of a rollout was not published: 502'])
})
