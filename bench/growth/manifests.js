// Deployments of environments with N manifests: start, first catalog, and pushes that change one manifest.
import { measurePushes, measureSizes } from './serving.js'

const manifestsPerModule = 10

export const manifests = {
  name: 'manifests',
  title: 'manifests per environment',
  sizes: { full: [10, 100, 1000, 3000, 10_000, 30_000], quick: [10, 1000, 10_000] },
  measurements: {
    start: { title: 'start of the server', unit: 'ms', atMost: 1.1, noise: 200 },
    first: { title: 'first catalog', unit: 'ms', atMost: 1.1, noise: 200 },
    push: { title: 'push that changes one manifest', unit: 'ms', atMost: 0.6, noise: 100 },
    after: { title: 'catalog after this push', unit: 'ms', atMost: 0.6, noise: 100 },
    memory: { title: 'memory of the server (RSS)', unit: 'MiB', atMost: 1.1, noise: 30 },
  },
  /** @param {{ folder: string, sizes: readonly number[], rounds: number }} options */
  measure: (options) =>
    measureSizes(options, {
      name: 'manifests',
      commits: (size) => [{ branch: 'production', files: siteFiles(size) }],
      measure: (server, repository) => measureServer(server, repository, options.rounds),
    }),
}

async function measureServer(server, repository, rounds) {
  const ready = server.processor()
  const first = await server.cost(() => server.catalog())
  for (let round = 0; round < 3; round++) await server.catalog()
  const costs = await measurePushes(server, repository, { branch: 'production', path: path(0), manifest, rounds })
  return { start: ready, first, ...costs, memory: server.memory() }
}

/**
 * Paths and texts: modules of ten classes each, and a node that includes at most a hundred of them.
 * @returns {Generator<[path: string, text: string]>}
 */
function* siteFiles(size) {
  yield ['environment.conf', 'modulepath = modules\n']
  const included = Array.from({ length: Math.min(100, size) }, (_, at) => Math.floor((at * size) / Math.min(100, size)))
  yield ['manifests/site.pp', `node default {\n${included.map((at) => `  include ${name(at)}\n`).join('')}}\n`]
  for (let at = 0; at < size; at++) yield [path(at), manifest(at, 0)]
}

const moduleOf = (at) => `m${Math.floor(at / manifestsPerModule)}`
const name = (at) => `${moduleOf(at)}::c${at}`
const path = (at) => `modules/${moduleOf(at)}/manifests/c${at}.pp`
const manifest = (at, revision) => `# Class ${at}.
class ${name(at)} (
  String[1] $owner = 'root',
  Integer[1] $workers = 4,
) {
  file { '/etc/c${at}':
    ensure => directory,
    owner  => $owner,
  }
  file { '/etc/c${at}/main.conf':
    content => "workers = \${$workers * 2}\\n",
    notify  => Service['c${at}'],
  }
  service { 'c${at}':
    ensure => running,
  }
  notify { 'c${at} at ${revision}': }
}
`
