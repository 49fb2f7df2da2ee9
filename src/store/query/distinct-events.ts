import { sql } from 'kysely'
import type { Entity } from './entity.ts'

/**
 * Selects the events between two times in milliseconds; of the events for one property of a
 * resource, only the newest.
 */
export function selectDistinctEvents(
  events: Entity,
  { start, end }: { readonly start: number; readonly end: number },
): Entity {
  return {
    ...events,
    from: sql`(select node_id, resource_type, resource_title, property, name, max(timestamp) as timestamp
        from resource_events where timestamp >= ${start} and timestamp <= ${end}
        group by node_id, resource_type, resource_title, property, name) as newest
      join resource_events on resource_events.node_id = newest.node_id
        and resource_events.resource_type = newest.resource_type
        and resource_events.resource_title = newest.resource_title
        and resource_events.property is not distinct from newest.property
        and resource_events.name is not distinct from newest.name
        and resource_events.timestamp = newest.timestamp
      join reports on reports.id = resource_events.report_id
      join nodes on nodes.id = resource_events.node_id
      left join environments on environments.id = reports.environment_id`,
  }
}
