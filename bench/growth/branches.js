// Servers of a repository with N branches, each an environment of its own commit.
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from './fit.js'
import { createRepository } from './repository.js'
import { prepareServers } from './serving.js'

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
  async measure({ folder, sizes, rounds }) {
    const start = prepareServers(folder)
    const results = []
    for (const size of sizes) {
      const repository = createRepository(join(folder, `branches${size}.git`), join(folder, 'environments'))
      await repository.commit(branchCommits(size))
      results.push({ size, ...(await measureServer(start, repository, rounds)) })
    }
    return results
  },
}

async function measureServer(start, repository, rounds) {
  const server = await start(repository)
  try {
    const ready = server.processor()
    await server.catalog('branch1')
    /** @type {number[][]} */
    const [pushes, catalogs] = [[], []]
    for (let round = 1; round <= rounds * 3; round++) {
      await repository.commit([{ branch: 'branch1', files: [['modules/m0/manifests/c0.pp', manifest(0, round)]] }])
      pushes.push(await server.cost(() => server.deploy()))
      let catalog
      catalogs.push(await server.cost(async () => (catalog = await server.catalog('branch1'))))
      if (!catalog.resources.some(({ title }) => title === `c0 at ${round}`))
        throw new Error('the catalog is not of the last push')
    }
    // Wall clock: the work of a server without requests is counted per second.
    const idle = (await server.cost(() => delay(idleSeconds * 1000))) / idleSeconds
    return { start: ready, push: median(pushes), after: median(catalogs), idle, memory: server.memory() }
  } finally {
    await server.stop()
  }
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
