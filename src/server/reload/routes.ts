import type { Logger } from 'pino'
import type { Reloadable } from './reloader.ts'

/** Checks routes.yaml again, and says where it wants a restart: which termini there are stands from the start on. */
export async function routesReload(read: () => Promise<unknown>, file: string, log: Logger): Promise<Reloadable> {
  const start = JSON.stringify(await read())
  return {
    async prepare() {
      const now = JSON.stringify(await read())
      return () => {
        if (now !== start) log.warn(`${file} has changed: that wants a restart; the termini stay as they were`)
      }
    },
  }
}
