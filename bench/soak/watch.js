// A look at the server each second: its event loop, its memory, its descriptors, and whether it lives.

const lookEveryMs = 1000
/** Bytes at which the server is ended, for the sake of the machine. */
const deadlyMemory = 3 * 1024 * 1024 * 1024
const silenceMs = 3000
/** Milliseconds of silence after which there is nothing more to be learned. */
const deadlySilenceMs = 120_000

/** Looks until it is stopped. `seen` is the last look, and the most of all looks. */
export function watchServer(server, blame) {
  const seen = { last: {}, openPeak: 0, childrenPeak: 0 }
  let heard = performance.now()
  let silent = false
  let ended = false
  const look = () => {
    const usage = server.usage()
    if (server.end() !== undefined) {
      if (!ended) blame.incident(`The server ${server.end()}. Its last words:\n${server.lastWords()}\n`)
      ended = true
      return
    }
    server.ask()
    if (performance.now() - heard > silenceMs && !silent) {
      silent = true
      blame.incident(`The server does not answer for ${silenceMs / 1000} s`, silenceMs)
    }
    if (performance.now() - heard > deadlySilenceMs) {
      blame.incident(`The server has not answered for ${deadlySilenceMs / 1000} s, and is ended`, deadlySilenceMs)
      server.kill()
    }
    // A process that ends has none any more.
    if (usage === undefined || usage.own === 0) return
    seen.last = usage
    seen.openPeak = Math.max(seen.openPeak, usage.open)
    seen.childrenPeak = Math.max(seen.childrenPeak, usage.children)
    if (usage.own < deadlyMemory) return
    blame.incident(`The server has ${Math.round(usage.own / 2 ** 20)} MiB of memory, and is ended`)
    server.kill()
  }
  const timer = setInterval(look, lookEveryMs)
  return {
    seen,
    /** It said how long it stood still. */
    paused(ms) {
      heard = performance.now()
      silent = false
      blame.paused(ms)
    },
    stop: () => clearInterval(timer),
  }
}
