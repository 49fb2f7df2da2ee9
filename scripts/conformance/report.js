import { createTwoFilesPatch } from 'diff'

/** What came of each class, put together. */
export function summarize(results) {
  const compiled = results.filter(({ real }) => real.error === undefined)
  const refused = results.filter(({ real }) => real.error !== undefined)
  const equal = ({ differences }) => differences.length === 0
  const kinds = new Map()
  for (const { differences } of results)
    for (const kind of new Set(differences.map(({ kind }) => kind))) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  return {
    classes: results.length,
    realCompiles: compiled.length,
    equalCatalogs: compiled.filter(equal).length,
    realRefuses: refused.length,
    equalErrors: refused.filter(equal).length,
    kinds: Object.fromEntries([...kinds].sort(([, a], [, b]) => b - a)),
    refusedByUs: grouped(compiled.filter(({ ours }) => ours.error !== undefined)),
    seconds: Math.round(results.reduce((sum, { ours }) => sum + (ours.seconds ?? 0), 0)),
  }
}

/** The summary for people. */
export function summaryText(summary, what = 'classes') {
  const { classes, realCompiles, equalCatalogs, realRefuses, equalErrors, kinds, refusedByUs, seconds } = summary
  const share = (part, whole) => (whole === 0 ? '' : ` (${((100 * part) / whole).toFixed(1)}%)`)
  return [
    `${classes} ${what}; ours took ${seconds} s`,
    `real Puppet compiles ${realCompiles}: ${equalCatalogs} catalogs equal${share(equalCatalogs, realCompiles)}`,
    `real Puppet refuses ${realRefuses}: ${equalErrors} error texts equal${share(equalErrors, realRefuses)}`,
    '',
    `${what} with differences, by kind:`,
    ...Object.entries(kinds).map(([kind, count]) => `  ${String(count).padStart(5)} ${kind}`),
    ...(refusedByUs.length === 0 ? [] : ['', 'real Puppet compiles, ours refuses:']),
    ...refusedByUs.map(
      ({ error, classes }) => `  ${String(classes.length).padStart(5)} ${error}  [${classes.slice(0, 3).join(' ')}]`,
    ),
  ].join('\n')
}

/** All about one class. */
export function classText({ name, real, ours, differences }) {
  const lines = differences.map(
    (each) => `  ${each.kind}: ${each.about}\n    real: ${each.real}\n    ours: ${each.ours}`,
  )
  const state = real.error === undefined ? 'compiles' : 'is refused'
  const heading = `${name}: ${state} by real Puppet; ${differences.length === 0 ? 'equal' : `${differences.length} differences`}`
  return [heading, ...lines, ...(ours.hint ? [`  hint: ${ours.hint}`] : [])].join('\n')
}

/** Texts of many lines, beside each other. */
export function textDiffs(differences) {
  return differences
    .filter(
      ({ kind, real, ours }) =>
        kind === 'parameter' && [real, ours].every((each) => each?.startsWith('"') && each.includes('\\n')),
    )
    .map(({ about, real, ours }) =>
      createTwoFilesPatch(`real ${about}`, `ours ${about}`, JSON.parse(real), JSON.parse(ours)),
    )
}

/** Errors that say the same of different things are one group. */
function grouped(results) {
  const groups = new Map()
  for (const { name, ours } of results) {
    const error = ours.error
      .replace(/ on node \S+$/, '')
      .replace(/ ?\((file|line): [^()]*\)/g, '')
      .replace(/Error while evaluating a (Resource Statement|Function Call|Method Call), /g, '')
      .replace(/\b[A-Z]\w*(::[A-Z]\w*)*\[[^\]]*\]/g, 'X[…]')
      .replace(/\/etc\/puppet\S*|\/usr\/share\/puppet\/\S*/g, 'PATH')
      .slice(0, 220)
    groups.set(error, [...(groups.get(error) ?? []), name])
  }
  return [...groups].map(([error, classes]) => ({ error, classes })).sort((a, b) => b.classes.length - a.classes.length)
}
