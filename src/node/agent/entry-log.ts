import { capitalised } from '../resources/reference.ts'
import { type Entry, isContainer, sourceOf } from './applied-catalog.ts'
import { type Log, logTo } from './log.ts'
import type { Vertex } from './relationship-graph.ts'

/** The log in the name of a resource, of a property of it, of its provider, or with `''` of Puppet. */
export function entryLog(log: Log, entry: Entry, property?: string): Log {
  const path = sourceOf(entry, property)
  // What Puppet says itself is of no resource: type/notify.rb.
  const origin = property === '' ? {} : { tags: entry.tags, file: entry.file, line: entry.line }
  return logTo({
    write: ({ level, message }) => {
      const shown = entry.resource?.withoutSecrets(message) ?? message
      log[level](shown, { source: path, ...origin })
    },
  })
}

/** The log in the name of a resource, or of a container's begin or end. */
export function vertexLog(log: Log, { entry, role }: Vertex): Log {
  if (role === 'resource') return entryLog(log, entry)
  const origin = { source: nameOfEnd(entry), tags: entry.tags }
  return logTo({ write: ({ level, message }) => log[level](message, origin) })
}

/** A container's name by its reference; the end of what a folder generated, by the folder's path (Puppet: type/whit.rb). */
export function nameOfEnd(entry: Entry): string {
  if (entry.typeName === 'Class') return `Class[${capitalised(entry.title)}]`
  return isContainer(entry) ? entry.reference : entry.title
}
