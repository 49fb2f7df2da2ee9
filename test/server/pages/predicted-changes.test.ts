import { describe, expect, it } from 'vitest'
import { compareChanges } from '../../../src/server/pages/rollouts/predicted-changes.ts'

const change = (certname: string, title: string) => ({
  ...{ certname, report: `report of ${certname}`, resource_type: 'File', resource_title: title },
})

/** Resources that count how often they are listed. */
class CountedResources extends Array<string> {
  lists = 0
  override [Symbol.iterator](): ArrayIterator<string> {
    this.lists++
    return super[Symbol.iterator]()
  }
}

describe('the changes of a rollout', () => {
  it('are compared with the predicted resources of all groups of a node', async () => {
    const predicted = [
      { nodes: ['a', 'b'], resources: ['File[/1]', 'File[/2]'] },
      { nodes: ['b'], resources: ['File[/3]'] },
    ]
    const events = [change('a', '/1'), change('a', '/3'), change('b', '/2'), change('b', '/3'), change('c', '/1')]
    expect(await compareChanges(events, predicted)).toEqual({
      ...{ predictedNodes: 2, changedNodes: 3, predictedResources: 3 },
      unpredicted: [
        { certname: 'a', report: 'report of a', resources: ['File[/3]'] },
        { certname: 'c', report: 'report of c', resources: ['File[/1]'] },
      ],
    })
    expect(await compareChanges(events, undefined)).toMatchObject({ predictedNodes: undefined, unpredicted: [] })
  })

  it('list the predicted resources once for each group, however many nodes and views there are', async () => {
    const resources = CountedResources.from(['File[/1]', 'File[/2]']) as CountedResources
    const predicted = [{ nodes: Array.from({ length: 1000 }, (_, at) => `web${at}`), resources }]
    for (const certname of ['web1', 'web999'])
      expect(await compareChanges([change(certname, '/1')], predicted)).toMatchObject({ predictedResources: 1 })
    expect(resources.lists).toBe(1)
  })
})
