import { describe, expect, it } from 'vitest'
import type { ReportEvent } from '../../../src/model/report.ts'
import { createResourceEvent, EventQueue, type Refresher } from '../../../src/node/agent/event-queue.ts'
import { createLog } from '../../../src/node/agent/log.ts'
import { buildRelationshipGraph, type Relationships, type Vertex } from '../../../src/node/agent/relationship-graph.ts'
import { appliedCatalog, nameOf } from './small-catalog.ts'

/** A refresher that keeps what was asked of it, a line each; `Exec`s can refresh, others cannot. */
function recorder(options: { readonly noop?: readonly string[]; readonly failing?: readonly string[] } = {}) {
  const lines: string[] = []
  const refresher: Refresher = {
    refreshesItself: () => false,
    canRefresh: ({ entry }) => entry.typeName === 'Exec',
    isNoop: (vertex) => options.noop?.includes(nameOf(vertex)) ?? false,
    async refresh(vertex) {
      lines.push(`refresh ${nameOf(vertex)}`)
      if (options.failing?.includes(nameOf(vertex))) throw new Error('it broke')
    },
    logFor: (vertex) =>
      createLog({ write: ({ level, message }) => void lines.push(`${level} ${nameOf(vertex)}: ${message}`) }),
    refreshed: (vertex, message) => void lines.push(`refreshed ${nameOf(vertex)}: ${message}`),
    failed: (vertex, message) => void lines.push(`failed ${nameOf(vertex)}: ${message}`),
    restarted: (vertex) => void lines.push(`restarted ${nameOf(vertex)}`),
  }
  return { lines, refresher }
}

function queueOf(manifest: string, options?: Parameters<typeof recorder>[0]) {
  const graph = buildRelationshipGraph(appliedCatalog(manifest))
  const { lines, refresher } = recorder(options)
  return { graph, lines, queue: new EventQueue(graph, refresher) }
}

function vertexOf(graph: Relationships, name: string): Vertex {
  const found = [...graph.nodes()].find((vertex) => nameOf(vertex) === name)
  if (!found) throw new Error(`the graph has no ${name}`)
  return found
}

const success = (name: string): ReportEvent => createResourceEvent(name, 'success', '')
const noop = (name: string): ReportEvent => createResourceEvent(name, 'noop', '')

const pair = `notify { 'a': notify => Exec['e'] } exec { 'e': command => '/bin/true' }`
/** What a resource says besides: its own class passes refreshes on. */
const main = 'debug Notify[a]: The container Class[main] will propagate my refresh event'

interface Case {
  readonly manifest?: string
  readonly events: readonly ReportEvent[]
  readonly noop?: readonly string[]
  readonly failing?: readonly string[]
  /** The vertex that is processed; `Exec[e]` unless said. */
  readonly processed?: string
  readonly expected: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'one event refreshes': {
    events: [success('changed')],
    expected: [
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      'refresh Exec[e]',
      "notice Exec[e]: Triggered 'refresh' from 1 event",
      "refreshed Exec[e]: Triggered 'refresh' from 1 event",
      'debug Exec[e]: The container Class[main] will propagate my refresh event',
      'restarted Exec[e]',
    ],
  },
  'several events refresh once, and are announced by their name': {
    events: [success('changed'), success('created'), success('changed')],
    expected: [
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      'refresh Exec[e]',
      "notice Exec[e]: Triggered 'refresh' from 3 events",
      "refreshed Exec[e]: Triggered 'refresh' from 3 events",
      'debug Exec[e]: The container Class[main] will propagate my refresh event',
      'restarted Exec[e]',
    ],
  },
  'no event refreshes nothing': { events: [], expected: [] },
  'an edge that does not refresh carries nothing': {
    manifest: `notify { 'a': before => Exec['e'] } exec { 'e': command => '/bin/true' }`,
    events: [success('changed')],
    expected: [main],
  },
  'who cannot refresh gets nothing': {
    manifest: `notify { 'a': notify => Notify['e'] } notify { 'e': }`,
    events: [success('changed')],
    processed: 'Notify[e]',
    expected: [main],
  },
  'events of noop alone say what they would do, and pass on a word of it': {
    events: [noop('changed'), noop('changed')],
    expected: [
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      "notice Exec[e]: Would have triggered 'refresh' from 2 events",
      'debug Exec[e]: The container Class[main] will propagate my refresh event',
    ],
  },
  'one event of several that is no noop refreshes': {
    events: [noop('changed'), success('created')],
    expected: [
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      'refresh Exec[e]',
      "notice Exec[e]: Triggered 'refresh' from 2 events",
      "refreshed Exec[e]: Triggered 'refresh' from 2 events",
      'debug Exec[e]: The container Class[main] will propagate my refresh event',
      'restarted Exec[e]',
    ],
  },
  'who only says what would be done is not refreshed': {
    events: [success('changed')],
    noop: ['Exec[e]'],
    expected: [
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      "notice Exec[e]: Would have triggered 'refresh' from 1 event",
      'debug Exec[e]: The container Class[main] will propagate my refresh event',
    ],
  },
  'a refresh that fails passes nothing on': {
    events: [success('changed')],
    failing: ['Exec[e]'],
    expected: [
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      'refresh Exec[e]',
      'failed Exec[e]: Failed to call refresh: it broke',
    ],
  },
  'the end of a container passes on one event, and says nothing itself': {
    events: [success('changed'), success('changed')],
    processed: 'end Class[Main]',
    expected: [
      'info Notify[a]: Scheduling refresh of Exec[e]',
      main,
      'debug end Class[Main]: The container Stage[main] will propagate my refresh event',
      'restarted end Class[Main]',
    ],
  },
  'a container that is refreshed hands it to all that it holds': {
    manifest: `
      class c { exec { 'e': command => '/bin/true' } notify { 'n': } exec { 'f': command => '/bin/true' } }
      include c
      notify { 'a': notify => Class['c'] }`,
    events: [success('changed')],
    processed: 'begin Class[C]',
    expected: [
      'info Notify[a]: Scheduling refresh of Class[C]',
      main,
      'info begin Class[C]: Scheduling refresh of Exec[e]',
      'info begin Class[C]: Scheduling refresh of Exec[f]',
      'restarted begin Class[C]',
    ],
  },
}

describe('an event queue', () => {
  it.each(Object.entries(cases))('%s', async (_, each) => {
    const { graph, lines, queue } = queueOf(each.manifest ?? pair, each)
    queue.queue(vertexOf(graph, 'Notify[a]'), each.events)
    await queue.process(vertexOf(graph, each.processed ?? 'Exec[e]'))
    expect([...lines].sort()).toEqual([...each.expected].sort())
  })

  it('passes a refresh on to who waits for it, as one event', async () => {
    const { graph, lines, queue } = queueOf(
      `notify { 'a': notify => Exec['e'] }
       exec { 'e': command => '/bin/true', notify => Exec['f'] }
       exec { 'f': command => '/bin/true' }`,
    )
    queue.queue(vertexOf(graph, 'Notify[a]'), [success('changed'), success('changed')])
    await queue.process(vertexOf(graph, 'Exec[e]'))
    await queue.process(vertexOf(graph, 'Exec[f]'))
    expect(lines).toContain("refreshed Exec[e]: Triggered 'refresh' from 2 events")
    expect(lines).toContain("refreshed Exec[f]: Triggered 'refresh' from 1 event")
  })

  it('passes on of a noop that the next would be refreshed, and it only says so, too', async () => {
    const { graph, lines, queue } = queueOf(
      `exec { 'e': command => '/bin/true', notify => Exec['f'] }
       exec { 'f': command => '/bin/true' }
       notify { 'a': notify => Exec['e'] }`,
      { noop: ['Exec[e]'] },
    )
    queue.queue(vertexOf(graph, 'Notify[a]'), [success('changed')])
    await queue.process(vertexOf(graph, 'Exec[e]'))
    await queue.process(vertexOf(graph, 'Exec[f]'))
    expect(lines.filter((line) => line.startsWith('notice'))).toEqual([
      "notice Exec[e]: Would have triggered 'refresh' from 1 event",
      "notice Exec[f]: Would have triggered 'refresh' from 1 event",
    ])
    expect(lines.filter((line) => /^(refresh|restarted)/.test(line))).toEqual([])
  })

  it('forgets the events of who was just started, and says so with or without events', async () => {
    const { graph, lines, queue } = queueOf(pair)
    const target = vertexOf(graph, 'Exec[e]')
    queue.queue(vertexOf(graph, 'Notify[a]'), [success('changed')])
    queue.drop(target)
    await queue.process(target)
    queue.drop(target)
    expect(lines.slice(-2)).toEqual([
      'info Exec[e]: Unscheduling refresh on Exec[e]',
      'info Exec[e]: Unscheduling refresh on Exec[e]',
    ])
  })

  it('forgets the events of who is skipped, and says so where there were some', async () => {
    const { graph, lines, queue } = queueOf(pair)
    const target = vertexOf(graph, 'Exec[e]')
    queue.dropAll(target)
    expect(lines).toEqual([])
    queue.queue(vertexOf(graph, 'Notify[a]'), [success('changed')])
    queue.dropAll(target)
    await queue.process(target)
    expect(lines.at(-1)).toBe('info Exec[e]: Unscheduling all events on Exec[e]')
  })
})
