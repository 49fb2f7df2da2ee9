import { describe, expect, it } from 'vitest'
import { listContainingClasses, listRestartedServices } from '../../../src/deploy/impact/change-reach.ts'

const edge = (source: string, target: string) => ({ source, target })
const edges = [
  edge('Stage[main]', 'Class[main]'),
  edge('Stage[main]', 'Class[Web]'),
  edge('Class[Web]', 'Class[Web::Config]'),
  edge('Class[Web::Config]', 'File[/etc/web]'),
  edge('Class[Web]', 'Service[web]'),
  edge('Class[Web]', 'Exec[reload]'),
  edge('Class[main]', 'Service[other]'),
]
const resources = (given: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>) =>
  new Map(Object.entries(given).map(([name, parameters]) => [name, new Map(Object.entries(parameters))]))

describe('the classes of a change', () => {
  it('are those that contain the resources, directly or not, and the resources themselves', () => {
    expect(listContainingClasses(['File[/etc/web]'], [{ edges }])).toEqual(['web', 'web::config'])
    expect(listContainingClasses(['Class[New]', 'Service[other]'], [{ edges }])).toEqual(['new'])
    expect(listContainingClasses(['File[/gone]'], [{ edges: [edge('Class[Old]', 'File[/gone]')] }, { edges }])).toEqual(
      ['old'],
    )
  })
})

describe('the services that a change restarts', () => {
  const restarts = (changed: string[], given: Parameters<typeof resources>[0]) =>
    listRestartedServices(changed, { catalog: { edges }, resources: resources(given) })

  it.each<[string, Parameters<typeof resources>[0]]>([
    ['notify', { 'File[/etc/web]': { notify: 'Service[web]' } }],
    ['subscribe', { 'Service[web]': { subscribe: ['File[/a]', 'File[/etc/web]'] } }],
    ['notify of a container', { 'Class[Web::Config]': { notify: ['Service[web]'] } }],
    ['subscribe to a container', { 'Service[web]': { subscribe: 'Class[Web::Config]' } }],
    ['notify of the container of the service', { 'File[/etc/web]': { notify: 'Class[Web]' } }],
    [
      'a resource between them',
      { 'File[/etc/web]': { notify: 'Exec[reload]' }, 'Exec[reload]': { notify: 'Service[web]' } },
    ],
  ])('follow %s', (_, given) => {
    expect(restarts(['File[/etc/web]'], given)).toEqual(['Service[web]'])
  })

  it('are none where no event goes, or only to a service itself', () => {
    expect(restarts(['File[/etc/web]'], { 'File[/other]': { notify: 'Service[web]' } })).toEqual([])
    expect(restarts(['Service[web]'], {})).toEqual([])
    expect(restarts(['File[/etc/web]'], { 'File[/etc/web]': { require: 'Service[web]' } })).toEqual([])
  })

  it('end in circles', () => {
    const circle = { 'Service[web]': { notify: 'Exec[reload]' }, 'Exec[reload]': { notify: 'Service[web]' } }
    expect(restarts(['Exec[reload]'], circle)).toEqual(['Service[web]'])
  })
})
