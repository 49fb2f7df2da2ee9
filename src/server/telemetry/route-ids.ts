/**
 * Route ids in Puppet Server's metrics. Each route has a timer from the start, even before its
 * first request.
 */
export const routeIds = [
  'puppet-v3-node-/*/',
  'puppet-v3-file_content-/*/',
  'puppet-v3-file_metadatas-/*/',
  'puppet-v3-file_metadata-/*/',
  'puppet-v3-file_bucket_file-/*/',
  'puppet-v3-catalog-/*/',
  'puppet-v3-report-/*/',
  'puppet-v3-facts-/*/',
  'puppet-v3-static_file_content-/*/',
  'puppet-v3-environments',
  'puppet-v3-environment_classes-/*/',
  'puppet-v3-environment_modules-/*/',
  'puppet-v3-environment_transports-/*/',
  'puppet-v3-tasks',
  'puppet-v3-tasks-:module-name-:task-name',
  'puppet-v3-plans',
  'puppet-v3-plans-:module-name-:plan-name',
  'puppet-v3-compile',
  'puppet-v4-catalog',
  'other',
] as const

/** A route id in Puppet Server's metrics. */
export type RouteId = (typeof routeIds)[number]

/** Puppet Server's id for one of our routes; `undefined` for routes outside `/puppet`. */
export function getRouteId(route: string): RouteId | undefined {
  const [, prefix, version, name, ...rest] = route.split('/')
  if (prefix !== 'puppet') return undefined
  const base = `puppet-${version}-${name}`
  return (
    routeIds.find((id) => (id === base && rest.length === 0) || (id.startsWith(`${base}-`) && rest.length > 0)) ??
    'other'
  )
}
