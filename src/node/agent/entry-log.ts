import { capitalizeTypeName } from '../resources/reference.ts'
import { type CatalogEntry, formatLogSource, isContainer } from './applied-catalog.ts'
import { createLog, type Log } from './log.ts'
import type { Vertex } from './relationship-graph.ts'

/**
 * Creates a log whose source is a resource or, depending on `property`, one of its properties, its
 * provider, or Puppet (`''`).
 */
export function createEntryLog(log: Log, entry: CatalogEntry, property?: string): Log {
  // Messages of Puppet itself contain neither tags nor location of the resource: type/notify.rb.
  const origin = property === '' ? {} : { tags: entry.tags, file: entry.file, line: entry.line }
  return createLog({
    write: ({ level, message }) => {
      const shown = entry.resource?.withoutSecrets(message) ?? message
      log[level](shown, { source: formatLogSource(entry, property), ...origin })
    },
  })
}

/** A log whose source is a resource, or the beginning or end of a container. */
export function createVertexLog(log: Log, { entry, role }: Vertex): Log {
  if (role === 'resource') return createEntryLog(log, entry)
  const origin = { source: formatContainerName(entry), tags: entry.tags }
  return createLog({ write: ({ level, message }) => log[level](message, origin) })
}

/**
 * Returns the reference of a container, or the title of a resource that generated others (Puppet:
 * type/whit.rb).
 */
export function formatContainerName(entry: CatalogEntry): string {
  if (entry.typeName === 'Class') return `Class[${capitalizeTypeName(entry.title)}]`
  return isContainer(entry) ? entry.reference : entry.title
}
