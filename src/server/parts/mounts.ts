import { openMounts } from '../reload/mounts.ts'
import { part } from './part.ts'

/** The mounts of fileserver.conf. */
export const mounts = part('mounts', [], async ({ settings, system, log }) => {
  const mounts = await openMounts(settings, system, log)
  return { value: mounts.mounts, reload: mounts }
})
