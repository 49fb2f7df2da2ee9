import { openMounts } from '../reload/mounts.ts'
import { definePart } from './part.ts'

/** The mounts of fileserver.conf. */
export const mountsPart = definePart('mounts', [], async ({ settings, system, log }) => {
  const mounts = await openMounts(settings, system, log)
  return { value: mounts.mounts, reload: mounts }
})
