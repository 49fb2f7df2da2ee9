// An environment with symbolic links that double at each of 36 levels, and requests for all that is behind them.
import { captured } from '../place.js'
import { pusherTo } from './pushed.js'

const levels = 36
const environment = 'links'

export const doublingLinks = {
  every: 30,
  prepare: ({ repository }) => linked(pusherTo(repository)),
  async act({ ask, repository, pause, prepared }) {
    const pusher = pusherTo(repository)
    pusher.branch(environment, prepared)
    try {
      await pause(3000)
      const query = `environment=${environment}&recurse=true&max_files=-1&links=follow&checksum_type=sha256`
      const mounts = [`modules/links/d${levels}`, 'plugins', 'modules/links']
      const answers = await Promise.all(
        mounts.map((mount) => ask(captured[5], { path: `/puppet/v3/file_metadatas/${mount}?${query}` })),
      )
      return answers.map(({ status }) => status)
    } finally {
      pusher.remove(environment)
    }
  },
}

/** `d2/a` and `d2/b` are both `d1`, which has two as well. */
function linked(pusher) {
  const all = { d0: { one: 'one\n' } }
  for (let level = 1; level <= levels; level++) {
    const link = pusher.link(`../d${level - 1}`)
    all[`d${level}`] = { a: link, b: link }
  }
  return pusher.commit({ modules: { links: { files: all, lib: all } } })
}
