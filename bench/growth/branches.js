// Servers of a repository with N branches, each an environment of its own commit.
import { setTimeout as delay } from 'node:timers/promises'
import { measurePushes, measureSizes } from './serving.js'

const filesPerBranch = 50
const idleSeconds = 5

export const branches = {
  name: 'branches',
  title: 'branches',
  sizes: { full: [10, 30, 100, 300, 1000], quick: [10, 100, 500] },
  measurements: {
    start: { title: 'start of the server', unit: 'ms', atMost: 1.1, noise: 200 },
    push: { title: 'push to one branch', unit: 'ms', atMost: 0.6, noise: 100 },
    after: { title: 'catalog after this push', unit: 'ms', atMost: 0.6, noise: 100 },
    idle: { title: 'a second without requests', unit: 'ms', atMost: 1.1, noise: 20 },
    memory: { title: 'memory of the server (RSS)', unit: 'MiB', atMost: 1.1, noise: 30 },
  },
  /** @param {{ folder: string, sizes: readonly number[], rounds: number }} options */
  measure: (options) =>
    measureSizes(options, {
      name: 'branches',
      commits: branchCommits,
      measure: (server, repository) => measureServer(server, repository, options.rounds),
    }),
}

async function measureServer(server, repository, rounds) {
  const ready = server.processor()
  await server.catalog('branch1')
  const path = 'modules/m0/manifests/c0.pp'
  const costs = await measurePushes(server, repository, { branch: 'branch1', path, manifest, rounds })
  // Wall clock: the work of a server without requests is counted per second.
  const idle = (await server.cost(() => delay(idleSeconds * 1000))) / idleSeconds
  return { start: ready, ...costs, idle, memory: server.memory() }
}

/**
 * The production branch, and branches that differ from it in one manifest and one data file.
 * @returns {{ branch: string, files: [path: string, text: string][] }[]}
 */
function branchCommits(size) {
  const classes = Array.from({ length: filesPerBranch }, (_, at) => at)
  /** @type {[path: string, text: string][]} */
  const first = [
    ['environment.conf', 'modulepath = modules\n'],
    ['manifests/site.pp', `node default {\n${classes.map((at) => `  include m${at}::c${at}\n`).join('')}}\n`],
    ...classes.map((at) => /** @type {[string, string]} */ ([`modules/m${at}/manifests/c${at}.pp`, manifest(at, 0)])),
  ]
  return [
    { branch: 'production', files: first },
    ...Array.from({ length: size - 1 }, (_, index) => ({
      branch: `branch${index + 1}`,
      files: /** @type {[path: string, text: string][]} */ ([
        [
          `modules/m${index % filesPerBranch}/manifests/c${index % filesPerBranch}.pp`,
          manifest(index % filesPerBranch, -index),
        ],
        ['data/common.yaml', `---\nbranch: ${index}\n`],
      ]),
    })),
  ]
}

const manifest = (at, revision) => `class m${at}::c${at} {
  notify { 'c${at} at ${revision}': }
}
`
