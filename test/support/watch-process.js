// Loaded into a server before it starts: keeps in the file PLUMB_WATCH for how long, at most, its event loop stood still
// and how much memory it took, with the number of looks. Removing the file begins anew.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { LongestPause } from './longest-pause.js'

if (isMainThread) {
  const file = process.env.PLUMB_WATCH
  let [most, told, looks] = [0, 0, 0]
  const pause = new LongestPause(() => {
    most = Math.max(most, process.memoryUsage.rss())
    if (performance.now() - told <= 50) return
    if (!existsSync(file)) {
      pause.forget()
      most = 0
    }
    writeFileSync(`${file}.new`, JSON.stringify({ milliseconds: pause.milliseconds, bytes: most, looks: ++looks }))
    renameSync(`${file}.new`, file)
    told = performance.now()
  })
}
