// The tables that a soak ends with.
import { promised } from './judge.js'
import { limitOf } from './waits.js'

/** Prints what was measured, what hostile clients did, and what was broken. */
export function printReport(result) {
  const { machine, rhythm, alone, beside, usage, kinds, incidents, broken, unfit } = result
  console.log(`\n${machine}`)
  console.log(rhythm)
  printTable([
    ['milliseconds', 'alone', 'median', 'most', 'beside', 'median', 'p99', 'most', 'at most', 'failed'],
    ...Object.entries(beside.waits).map(([kind, wait]) => waitRow(kind, alone.waits[kind], wait)),
  ])
  printTable([
    ['the server', 'alone', 'beside'],
    ...['p50', 'p99', 'max'].map((name) => [
      `event loop late, ${name}, ms`,
      one(alone.loop?.[name]),
      one(beside.loop?.[name]),
    ]),
    ['processor time, of one core', percent(alone.processor), percent(beside.processor)],
    ['the whole machine was busy', percent(alone.busy), percent(beside.busy)],
    ['its event loop waited for a processor', percent(alone.waited), percent(beside.waited)],
    ['memory at most, MiB', mib(alone.usage?.peak), `${mib(usage.peak)} of ${mib(promised.memory)}`],
    ['memory at the end, MiB', mib(alone.usage?.own), mib(usage.own)],
    ['memory of its programs at most, MiB', mib(alone.usage?.children), mib(usage.childrenPeak)],
    ['open files at most', '', String(usage.openPeak)],
    ['open files at the end', String(alone.usage?.open ?? ''), String(usage.open ?? '')],
  ])
  if (Object.keys(kinds).length > 0)
    printTable([
      ['hostile kind', 'acts', 'longest pause meanwhile, ms', 'trouble meanwhile', 'outcomes'],
      ...Object.entries(kinds).map(([kind, { acts, longestPause, incidents, outcomes }]) => [
        kind,
        String(acts),
        String(longestPause),
        String(incidents),
        Object.entries(outcomes)
          .map(([outcome, count]) => `${outcome} ×${count}`)
          .join(', '),
      ]),
    ])
  if (unfit.length > 0)
    console.log(`\nThis machine does not keep up with this rhythm when it is left alone: ${unfit.join('; ')}`)
  console.log(
    broken.length === 0 ? '\nAll promises were kept' : `\nPromises were broken, with ${incidents.length} incidents:`,
  )
  for (const line of broken) console.log(`- ${line}`)
}

function waitRow(kind, alone, { count, median, p99, most, failures }) {
  const limit = kind === 'run' || !alone ? '' : String(limitOf(alone))
  const before = alone ? [alone.count, alone.median, alone.most] : ['', '', '']
  return [kind, ...before, count, median, p99, most, limit, failures].map(String)
}

function printTable(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  const last = widths.length - 1
  console.log('')
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => {
          if (column === 0) return cell.padEnd(widths[0])
          return column === last && lines[0][last] === 'outcomes' ? cell : cell.padStart(widths[column])
        })
        .join('  ')
        .trimEnd(),
    )
}

const one = (value) => (value === undefined ? '?' : value.toFixed(1))
const mib = (bytes) => (bytes === undefined ? '?' : (bytes / 2 ** 20).toFixed(0))
const percent = (share) => (share === undefined ? '?' : `${(share * 100).toFixed(0)} %`)
