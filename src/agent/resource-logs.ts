import { capitalised } from '../resources/reference.ts'
import { type Entry, isContainer, sourceOf } from './applied-catalog.ts'
import { type Log, logTo } from './log.ts'
import type { Vertex } from './relationship-graph.ts'

/** The logs in the names of resources, without their secrets. */
export class ResourceLogs {
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** The log in the name of a resource, or of a property of it; with `''` in Puppet's. */
  of(entry: Entry, property?: string): Log {
    const path = sourceOf(entry, property)
    const place = { file: entry.file, line: entry.line }
    return logTo({
      write: ({ level, message }) => {
        const shown = entry.resource?.withoutSecrets(message) ?? message
        this.#log[level](shown, { source: path, tags: entry.tags, ...place })
      },
    })
  }

  /** The log in the name of a container's begin or end. */
  ofEnd({ entry }: Vertex): Log {
    const origin = { source: sourceOfEnd(entry), tags: entry.tags }
    return logTo({ write: ({ level, message }) => this.#log[level](message, origin) })
  }
}

/** A container speaks by its reference; the end of what a folder generated, by the folder's path (Puppet: type/whit.rb). */
function sourceOfEnd(entry: Entry): string {
  if (entry.typeName === 'Class') return `Class[${capitalised(entry.title)}]`
  return isContainer(entry) ? entry.reference : entry.title
}
