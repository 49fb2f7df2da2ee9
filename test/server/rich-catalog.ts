import type { Serving } from './serving.ts'

/** Requests the catalog of a node, as rich data. Returns its origin, `compiled` or `recalled`, and its text. */
export async function requestRichCatalog(serving: Serving, node: string) {
  const headers = { accept: 'application/vnd.puppet.rich+json' }
  const path = `/puppet/v3/catalog/${node}?environment=production`
  const { headers: received, text } = await serving.call('GET', path, { as: node, headers })
  return { origin: received['x-plumb-catalog'], text }
}
