// What a process and its children use, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs'

/** Bytes in memory now, and the most there ever were, of a process and of all that it started. */
export function memoryOf(pid) {
  const sum = (name) => tree(pid).reduce((all, each) => all + field(each, name), 0)
  return { now: sum('VmRSS') * 1024, peak: sum('VmHWM') * 1024 }
}

/** Bytes in memory now: of a process alone, and of all that it started. */
export function memoryByShare(pid) {
  const [own, ...children] = tree(pid).map((each) => field(each, 'VmRSS') * 1024)
  return { own, children: children.reduce((sum, each) => sum + each, 0) }
}

/** Milliseconds of processor time that a process, and all that it started, took so far; those that have ended as well. */
export function processorTime(pid) {
  const ticks = tree(pid).flatMap((each) => stat(each).slice(11, 15).map(Number))
  return ticks.reduce((all, each) => all + each, 0) * 10
}

function tree(pid) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(stat(name)[1])])
  const below = (parent) => [parent, ...parents.filter(([, of]) => of === parent).flatMap(([child]) => below(child))]
  return below(pid)
}

/** From the third field on: the second is a name that may hold anything. */
function stat(pid) {
  const text = read(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function field(pid, name) {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(read(`/proc/${pid}/status`))?.[1] ?? 0)
}

/** A process may have ended meanwhile. */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Bytes in memory now, of a process and of all that it started, where what several share is counted once among them. */
export function shareOf(pid) {
  const share = (each) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${each}/smaps_rollup`))?.[1] ?? 0)
  return tree(pid).reduce((all, each) => all + share(each) * 1024, 0)
}
