/** Indirections of Puppet 3 below `/puppet/v3`. Puppet Server: legacy_routes_core.clj. */
const ofMaster = new Set([
  'catalog',
  'facts',
  'file_bucket_file',
  'file_content',
  'file_metadata',
  'file_metadatas',
  'node',
  'report',
])
/** Indirections of Puppet 3 on the certificate authority. */
const ofAuthority = new Set([
  'certificate',
  'certificate_request',
  'certificate_revocation_list',
  'certificate_status',
  'certificate_statuses',
])

const longest = 4096

/**
 * Rewrites a Puppet 3 URL, `/ENVIRONMENT/INDIRECTION/KEY`, to the current form; other URLs are
 * unchanged. All later steps, including the rules of auth.conf, see only the new URL.
 */
export function toCurrentUrl(url: string): string {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  if (path.length > longest) return url
  const [before, environment = '', indirection = '', ...key] = path.split('/')
  if (before !== '' || !/^\w+$/.test(environment) || key.length === 0) return url
  const query = end === -1 ? '' : url.slice(end + 1)
  if (ofAuthority.has(indirection)) return formatUrl(`/puppet-ca/v1/${indirection}/${key.join('/')}`, query)
  if (!ofMaster.has(indirection)) return url
  // The first parameter of a name wins, so the environment in the path overrides the query.
  const fields = query === '' ? [] : [query]
  return formatUrl(`/puppet/v3/${indirection}/${key.join('/')}`, [`environment=${environment}`, ...fields].join('&'))
}

function formatUrl(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}
