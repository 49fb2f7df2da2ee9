// Loaded into a server before it starts: keeps in the file PLUMB_WATCH for how long, at most, its event loop stood still
// and how much memory it took. Removing the file begins anew. Time in which others had the processor is none of its own.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const tick = 4

/** Milliseconds for which this thread could have run, and had no processor. */
function waited() {
  const [, nanoseconds] = readFileSync('/proc/self/schedstat', 'utf8').split(' ')
  return Number(nanoseconds) / 1e6
}

if (isMainThread) {
  const file = process.env.PLUMB_WATCH
  let [longest, most, told] = [0, 0, 0]
  let [before, beforeWaited] = [performance.now(), waited()]
  setInterval(() => {
    const [now, nowWaited] = [performance.now(), waited()]
    longest = Math.max(longest, now - before - tick - (nowWaited - beforeWaited))
    most = Math.max(most, process.memoryUsage.rss())
    if (now - told > 50) {
      if (!existsSync(file)) [longest, most] = [0, 0]
      writeFileSync(`${file}.new`, JSON.stringify({ milliseconds: longest, bytes: most }))
      renameSync(`${file}.new`, file)
      told = now
    }
    ;[before, beforeWaited] = [performance.now(), waited()]
  }, tick).unref()
}
