// An environment with symbolic links that double at each of 36 levels, and requests for all that is behind them.
import { captured } from '../place.js'
import { branchOf, commitOf } from './pushed.js'

const levels = 36
const branch = branchOf('links')

export const doublingLinks = {
  every: 30,
  prepare: ({ git }) => linked(git),
  async act({ ask, git, pause, prepared }) {
    git(['update-ref', branch, prepared])
    try {
      await pause(3000)
      const query = 'environment=links&recurse=true&max_files=-1&links=follow&checksum_type=sha256'
      const mounts = [`modules/links/d${levels}`, 'plugins', 'modules/links']
      const answers = await Promise.all(
        mounts.map((mount) => ask(captured[5], { path: `/puppet/v3/file_metadatas/${mount}?${query}` })),
      )
      return answers.map(({ status }) => status)
    } finally {
      git(['update-ref', '-d', branch])
    }
  },
}

/** `d2/a` and `d2/b` are both `d1`, which has two as well. */
function linked(git) {
  const file = git(['hash-object', '-w', '--stdin'], 'one\n')
  const first = git(['mktree'], `100644 blob ${file}\tone\n`)
  const entries = [`040000 tree ${first}\td0`]
  for (let level = 1; level <= levels; level++) {
    const link = git(['hash-object', '-w', '--stdin'], `../d${level - 1}`)
    entries.push(`040000 tree ${git(['mktree'], `120000 blob ${link}\ta\n120000 blob ${link}\tb\n`)}\td${level}`)
  }
  const all = git(['mktree'], `${entries.join('\n')}\n`)
  return commitOf(git, { modules: { links: { files: all, lib: all } } })
}
