import type { Logger } from 'pino'
import type { Reloadable } from '../reloader.ts'
import type { Services } from '../services/services.ts'

/**
 * Validates routes.yaml in a reload; a change is logged as needing a restart, since termini are
 * created at the start.
 */
export function createRoutesReload(
  { routes, readRoutes }: Pick<Services, 'routes' | 'readRoutes'>,
  file: string,
  log: Logger,
): Reloadable {
  const start = JSON.stringify(routes)
  return {
    async prepare() {
      const now = JSON.stringify(await readRoutes())
      return () => {
        if (now !== start) log.warn(`${file} has changed; restart the server to apply the changes`)
      }
    },
  }
}
