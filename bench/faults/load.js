// All kinds of work at once, until the server is killed.
import { kinds } from './kinds/index.js'

const firstWithinMs = 120_000

/** Work of each kind, which goes on over all starts of the server. */
export function newLoad(world, names) {
  const work = names.map((name) => ({ name, once: kinds[name](world), count: 0 }))
  return {
    counts: () => Object.fromEntries(work.map(({ name, count }) => [name, count])),
    /** Begins; `stop` ends it, and resolves when nothing is under way. Work that fails before that is a finding. */
    begin() {
      let isOver = false
      let hear = () => {}
      const before = new Map(work.map(({ name, count }) => [name, count]))
      const loops = work.map(async (each) => {
        while (!isOver) {
          try {
            await each.once()
            each.count++
          } catch (error) {
            if (isOver) return
            world.finding(`${each.name} failed while the server ran: ${error.stderr || error.message}`)
            await new Promise((done) => setTimeout(done, 500))
          }
          hear()
        }
      })
      return {
        /** Resolves when these kinds have been acknowledged once: nothing is held up by what a kill left. */
        async acknowledged(wanted) {
          const isIdle = ({ name, count }) => wanted.includes(name) && count === before.get(name)
          const idle = () => work.filter(isIdle).map(({ name }) => name)
          const until = performance.now() + firstWithinMs
          while (idle().length > 0) {
            if (performance.now() > until) return world.finding(`Held up: ${idle().join(', ')}`)
            await new Promise((done) => {
              hear = () => done(undefined)
              setTimeout(done, 500)
            })
          }
        },
        /** What fails from now on is no finding. */
        over() {
          isOver = true
        },
        ended: () => Promise.all(loops),
      }
    },
  }
}
