// A stretch of time with what was measured in it.
import { watchMachine } from './machine.js'
import { honestOperator } from './operator.js'
import { newWaits } from './waits.js'

/** Phases of one server, which honest agents ask all the time. `heard` is to be told of their answers. */
export function phasesOf({ server, blame, given, repository }) {
  // What is answered before the first phase warms up.
  let waits = newWaits(() => {})
  const heard = (answer) => waits.add(answer)
  return {
    heard,
    /** Answers that came after the end of the last phase belong to it. */
    waits: () => waits.summary(),
    /** Lets all work for so long, or until the server has ended. */
    async phase(minutes) {
      await server.mark()
      waits = newWaits(blame.incident)
      const [started, before, busy] = [performance.now(), server.usage(), watchMachine()]
      const stopOperator = honestOperator({ ...given, repository, server, heard })
      await until(started + minutes * 60_000, server)
      const [usage, loop] = [server.usage(), await server.mark()]
      const share = (name) => usage && before && (usage[name] - before[name]) / (performance.now() - started)
      const measured = { loop, usage, processor: share('processorMs'), waited: share('waitedMs'), busy: busy() }
      await stopOperator()
      return measured
    },
  }
}

/** Until then, or until the server has ended. */
export async function until(time, server) {
  while (performance.now() < time && server.end() === undefined) await new Promise((done) => setTimeout(done, 200))
}
