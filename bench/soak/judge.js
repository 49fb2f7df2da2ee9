// What is promised, and whether it was kept.
import { limitOf } from './waits.js'

/** Bytes of memory that the server may take at most, and milliseconds that its event loop may be late. */
export const promised = { memory: 1024 * 1024 * 1024, loopP99: 20 }

/** A line for each promise that was broken; `loose` leaves out what a busy machine may break. */
export function brokenPromises({ asked, end, alone, beside, usage, kinds, breaches, lost }, loose) {
  const broken = [...lost, ...breaches.map((breach) => `A hostile client got through: ${breach}`)]
  if (end !== undefined) broken.push(`The server ${end}`)
  // On a busy machine a run may take longer than the interval.
  for (const [kind, { failures }] of Object.entries(beside.waits))
    if (failures > 0 && !(loose && kind === 'run')) broken.push(`${failures} honest requests failed: ${kind}`)
  if (beside.waits.catalog === undefined) broken.push('No agent had a catalog beside the hostile clients')
  if (loose) return broken
  const idle = asked.filter((kind) => kinds[kind] === undefined)
  if (idle.length > 0) broken.push(`Nothing was shown of ${idle.join(', ')}: they did nothing`)
  for (const [kind, { most }] of Object.entries(beside.waits)) {
    const before = alone.waits[kind]
    if (kind !== 'run' && before && most > limitOf(before))
      broken.push(`An honest request waited ${most} ms, of at most ${limitOf(before)}: ${kind}`)
  }
  if (usage.peak > promised.memory) broken.push(`The server took ${Math.round(usage.peak / 2 ** 20)} MiB of memory`)
  if (beside.loop === undefined) broken.push('The event loop did not say how late it was')
  else if (beside.loop.p99 >= promised.loopP99)
    broken.push(`The event loop was ${beside.loop.p99.toFixed(1)} ms late (p99)`)
  return broken
}

/** Why the figures alone are no measure: the machine did not keep up without any hostile client. */
export function unfit({ alone }) {
  const rows = Object.entries(alone.waits)
  const failed = rows.filter(([, { failures }]) => failures > 0).map(([kind]) => `${kind} failed`)
  const slow = rows
    .filter(([kind, wait]) => kind !== 'run' && wait.most > limitOf(wait))
    .map(([kind]) => `${kind} was slow`)
  const late =
    alone.loop?.p99 < promised.loopP99 ? [] : [`its event loop was ${alone.loop?.p99.toFixed(1)} ms late (p99)`]
  return [...failed, ...slow, ...late]
}
