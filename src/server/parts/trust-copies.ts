import { createTrustFileUpdate } from '../../ca/host-files.ts'
import { authorityPart } from './authority.ts'
import { definePart } from './part.ts'

/** Milliseconds between two queries for changes; a revocation by another server takes effect within this time. */
const everyMs = 2000

/** Keeps the server's copies of the CA certificates and revocation lists current, if several servers share the CA. */
export const trustCopiesPart = definePart('trustCopies', [authorityPart], ({ settings, authority, system, log }) => {
  if (!authority || settings.ca_store === 'cadir') return {}
  const update = createTrustFileUpdate(settings, authority, system)
  let trouble: string | undefined
  let running: Promise<void> | undefined
  const run = async () => {
    try {
      await update()
      trouble = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== trouble) log.error({ err: error }, 'Could not update the copy of the revocation lists')
      trouble = message
    }
  }
  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined))
  }, everyMs).unref()
  return {
    async close() {
      clearInterval(timer)
      await running
    },
  }
})
