import { capitalised } from '../resources/reference.ts'
import { type Entry, isContainer, sourceOf } from './applied-catalog.ts'
import { type Log, logTo } from './log.ts'
import type { Vertex } from './relationship-graph.ts'

/**
 * Creates a log whose source is a resource or, depending on `property`, one of its properties, its
 * provider, or Puppet (`''`).
 */
export function entryLog(log: Log, entry: Entry, property?: string): Log {
  const path = sourceOf(entry, property)
  // Messages of Puppet itself contain neither tags nor location of the resource: type/notify.rb.
  const origin = property === '' ? {} : { tags: entry.tags, file: entry.file, line: entry.line }
  return logTo({
    write: ({ level, message }) => {
      const shown = entry.resource?.withoutSecrets(message) ?? message
      log[level](shown, { source: path, ...origin })
    },
  })
}

/** A log whose source is a resource, or the beginning or end of a container. */
export function vertexLog(log: Log, { entry, role }: Vertex): Log {
  if (role === 'resource') return entryLog(log, entry)
  const origin = { source: nameOfEnd(entry), tags: entry.tags }
  return logTo({ write: ({ level, message }) => log[level](message, origin) })
}

/**
 * Returns the reference of a container, or the title of a resource that generated others (Puppet:
 * type/whit.rb).
 */
export function nameOfEnd(entry: Entry): string {
  if (entry.typeName === 'Class') return `Class[${capitalised(entry.title)}]`
  return isContainer(entry) ? entry.reference : entry.title
}
