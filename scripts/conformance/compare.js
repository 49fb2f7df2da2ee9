/**
 * How two answers differ: [] where they do not. Each difference has a kind (`resource missing`, `parameter`, `tags`, …),
 * what it is about, and both sides.
 */
export function differences(real, ours) {
  if (real.error !== undefined || ours.error !== undefined) return errorDifferences(real, ours)
  const [theirs, mine] = [canonical(real.catalog), canonical(ours.catalog)]
  return [
    ...resourceDifferences(theirs.resources, mine.resources),
    ...setDifferences('edge', theirs.edges, mine.edges),
    ...setDifferences('class', theirs.classes, mine.classes),
    ...setDifferences('catalog tag', theirs.tags, mine.tags),
  ]
}

function errorDifferences(real, ours) {
  if (real.error === ours.error) return []
  if (real.error === undefined) return [{ kind: 'refused by us', about: ours.error, real: undefined, ours: ours.error }]
  if (ours.error === undefined)
    return [{ kind: 'compiled by us', about: real.error, real: real.error, ours: undefined }]
  return [{ kind: 'error text', about: real.error, real: real.error, ours: ours.error }]
}

/** A catalog without what no agent sees, sorted. */
function canonical({ resources, edges, classes, tags }) {
  const kept = resources.filter(({ type, title }) => type !== 'Stage' || title !== 'main')
  return {
    resources: new Map(kept.map((each) => [`${each.type}[${each.title}]`, each])),
    edges: edges.map(({ source, target }) => `${source} contains ${target}`).sort(),
    classes: [...classes].sort(),
    tags: [...(tags ?? [])].sort(),
  }
}

function resourceDifferences(theirs, mine) {
  const found = []
  for (const [reference, real] of theirs) {
    const ours = mine.get(reference)
    if (!ours) found.push({ kind: 'resource missing', about: reference, real: reference, ours: undefined })
    else found.push(...detailDifferences(reference, real, ours))
  }
  for (const reference of mine.keys())
    if (!theirs.has(reference))
      found.push({ kind: 'resource extra', about: reference, real: undefined, ours: reference })
  return found
}

function detailDifferences(reference, real, ours) {
  const found = []
  const differ = (kind, about, a, b) => {
    const [left, right] = [text(a), text(b)]
    if (left !== right) found.push({ kind, about: `${reference} ${about}`.trim(), real: left, ours: right })
  }
  const [theirs, mine] = [real.parameters ?? {}, ours.parameters ?? {}]
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(mine)]))
    differ('parameter', name, theirs[name], mine[name])
  differ('tags', '', [...real.tags].sort(), [...ours.tags].sort())
  differ('exported', '', real.exported, ours.exported)
  differ('kind', '', real.kind, ours.kind)
  differ('place', '', [real.file, real.line], [ours.file, ours.line])
  differ('sensitive', '', [...(real.sensitive_parameters ?? [])].sort(), [...(ours.sensitive_parameters ?? [])].sort())
  return found
}

function setDifferences(kind, theirs, mine) {
  const [real, ours] = [count(theirs), count(mine)]
  return [...new Set([...real.keys(), ...ours.keys()])]
    .filter((each) => real.get(each) !== ours.get(each))
    .map((each) => ({ kind, about: each, real: real.get(each), ours: ours.get(each) }))
}

function count(values) {
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function text(value) {
  return value === undefined ? undefined : JSON.stringify(value)
}
