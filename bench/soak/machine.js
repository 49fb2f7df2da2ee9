// The machine as a whole: what it is, and how busy, with all that runs on it.
import { availableParallelism, cpus, loadavg } from 'node:os'

export function describeMachine() {
  return `${cpus()[0].model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)} at the start`
}

/** Begins to count; the answer says which share of all processors' time was used since. */
export function watchMachine() {
  const before = processorTimes()
  return () => {
    const after = processorTimes()
    return 1 - (after.idle - before.idle) / (after.all - before.all)
  }
}

function processorTimes() {
  const each = cpus().map(({ times }) => ({
    idle: times.idle,
    all: Object.values(times).reduce((sum, time) => sum + time),
  }))
  return each.reduce((sum, { idle, all }) => ({ idle: sum.idle + idle, all: sum.all + all }))
}
