import { formatError } from '../../language/ruby-semantics/errno.ts'
import type { ReportEvent } from '../../model/report.ts'
import { formatContainerName } from './entry-log.ts'
import type { Log } from './log.ts'
import type { Relationships, Vertex } from './relationship-graph.ts'

/** The operations of a transaction that the event queue calls. */
export interface Refresher {
  canRefresh(vertex: Vertex): boolean
  /** True for a resource that is refreshed by its own changes. */
  refreshesItself(vertex: Vertex): boolean
  isNoop(vertex: Vertex): boolean
  refresh(vertex: Vertex): Promise<void>
  logFor(vertex: Vertex): Log
  refreshed(vertex: Vertex, message: string): void
  /** Reports a failed refresh; `message` is the full text and `why` the reason alone. */
  failed(vertex: Vertex, message: string, why: string): void
  restarted(vertex: Vertex): void
}

/** Propagates events along the notifying edges, and refreshes the vertices that received events. */
export class EventQueue {
  readonly #graph: Relationships
  readonly #refresher: Refresher
  readonly #queues = new Map<Vertex, ReportEvent[]>()

  constructor(graph: Relationships, refresher: Refresher) {
    this.#graph = graph
    this.#refresher = refresher
  }

  /** Queues the events of a vertex for every vertex that it notifies. */
  queue(source: Vertex, events: readonly ReportEvent[]): void {
    const byName = new Map<string | null, ReportEvent[]>()
    for (const event of events) byName.set(event.name, [...(byName.get(event.name) ?? []), event])
    for (const group of byName.values()) {
      for (const target of this.#graph.successors(source)) {
        if (!this.#graph.label(source, target)?.refreshes) continue
        if (target.role === 'resource' && !this.#refresher.canRefresh(target)) continue
        this.#deliver(source, target, group)
      }
      if (this.#refresher.refreshesItself(source)) this.#deliver(source, source, group.slice(0, 1))
    }
  }

  /** Cancels the refresh of a resource that was just started and therefore needs no refresh. */
  drop(vertex: Vertex): void {
    this.#refresher.logFor(vertex).info(`Unscheduling refresh on ${vertex.entry.reference}`)
    this.#queues.delete(vertex)
  }

  /** Drops all events of a skipped resource. */
  dropAll(vertex: Vertex): void {
    if ((this.#queues.get(vertex)?.length ?? 0) === 0) return
    this.#refresher.logFor(vertex).info(`Unscheduling all events on ${formatVertexName(vertex)}`)
    this.#queues.delete(vertex)
  }

  /** Refreshes a vertex that has queued events. */
  async process(vertex: Vertex): Promise<void> {
    const events = this.#queues.get(vertex)
    if (!events || events.length === 0) return
    const count = events.length === 1 ? '1 event' : `${events.length} events`
    const log = this.#refresher.logFor(vertex)
    if (this.#refresher.isNoop(vertex) || events.every(({ status }) => status === 'noop')) {
      log.notice(`Would have triggered 'refresh' from ${count}`)
      this.queue(vertex, [createResourceEvent('noop_restart', 'noop', '')])
      return
    }
    try {
      if (vertex.role === 'resource') {
        await this.#refresher.refresh(vertex)
        const message = `Triggered 'refresh' from ${count}`
        log.notice(message)
        this.#refresher.refreshed(vertex, message)
      }
    } catch (error) {
      const why = formatError(error)
      this.#refresher.failed(vertex, `Failed to call refresh: ${why}`, why)
      return
    }
    this.queue(vertex, [createResourceEvent('restarted', 'success', '')])
    this.#refresher.restarted(vertex)
  }

  #deliver(source: Vertex, target: Vertex, events: readonly ReportEvent[]): void {
    const log = this.#refresher.logFor(source)
    if (target.role === 'end') log.debug(`The container ${target.entry.reference} will propagate my refresh event`)
    else log.info(`Scheduling refresh of ${target.entry.reference}`)
    this.#queues.set(target, [...(this.#queues.get(target) ?? []), ...events])
  }
}

/** The name of a vertex in messages. */
function formatVertexName({ entry, role }: Vertex): string {
  return role === 'resource' ? entry.reference : formatContainerName(entry)
}

/** Creates an event without a property. */
export function createResourceEvent(
  name: string,
  status: ReportEvent['status'],
  message: string,
  time = '',
): ReportEvent {
  return {
    audited: false,
    property: null,
    previous_value: null,
    desired_value: null,
    historical_value: null,
    message,
    name,
    status,
    time,
    redacted: false,
    corrective_change: false,
  }
}
