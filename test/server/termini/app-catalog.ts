import type { Serving } from '../serving.ts'

/** A control repository with a class of some resources. */
export const appFiles = {
  'manifests/site.pp': 'node default { include app }\n',
  'modules/app/files/app.conf': 'port = 80\n',
  'modules/app/manifests/init.pp': `class app {
  file { '/etc/app.conf': source => 'puppet:///modules/app/app.conf', mode => '0644', tag => ['ours'] }
  -> notify { "of \${facts['os']}": message => Sensitive('hush') }
  package { 'nginx': ensure => installed }
  user { 'u': name => 'v', uid => 1, groups => ['a', 'b'] }
}\n`,
}

/** The answer to a catalog request of a node. */
export async function catalogOf(node: string, { call }: Serving, gzip = false) {
  const facts = encodeURIComponent(JSON.stringify({ name: node, values: { os: 'x' } }))
  const { status, text, headers } = await call('POST', `/puppet/v3/catalog/${node}`, {
    as: node,
    headers: {
      accept: 'application/vnd.puppet.rich+json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(gzip && { 'accept-encoding': 'gzip' }),
    },
    body: `environment=production&static_catalog=true&checksum_type=sha256&transaction_uuid=t-1&facts_format=application%2Fjson&facts=${encodeURIComponent(facts)}`,
  })
  const signature = headers['x-plumb-catalog-signature'] as string | undefined
  return { status, text, origin: headers['x-plumb-catalog'], signature }
}
