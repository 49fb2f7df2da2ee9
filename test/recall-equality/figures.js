/** What came of a world's edits: how many catalogs were recalled, and why others were compiled although nothing changed. */
export class Figures {
  counts = { edits: 0, undone: 0, draws: 0, recalled: 0, changed: 0, inVain: 0, failed: 0, differences: 0 }
  /** Of nodes that the edit is near to. */
  near = { recalled: 0, inVain: 0 }
  /** Nodes that never had a catalog. */
  withoutCatalog = []
  edits = new Map()
  /** Catalogs compiled in vain, each with the questions that changed. */
  inVain = []

  count({ origin, differs, changed }, { edit, about, node, near }) {
    const { counts } = this
    counts.draws++
    if (differs) counts.differences++
    if (origin === 'recalled') counts.recalled++
    else if (origin === 'failed') counts.failed++
    else if (origin !== 'in vain') counts.changed++
    else {
      counts.inVain++
      this.inVain.push({ edit, about, node, changed })
    }
    if (near && origin === 'recalled') this.near.recalled++
    if (near && origin === 'in vain') this.near.inVain++
  }

  edited(kind, broken) {
    this.counts.edits++
    if (broken > 0) this.counts.undone++
    this.edits.set(kind, (this.edits.get(kind) ?? 0) + 1)
  }

  get percent() {
    return percent(this.counts)
  }

  get line() {
    const { edits, undone, draws, recalled, changed, inVain, failed, differences } = this.counts
    const near = `${percent(this.near).toFixed(1)} % of ${this.near.recalled + this.near.inVain} near an edit`
    return (
      `${edits} edits (${undone} undone), ${draws} catalogs: ${recalled} recalled, ${changed} changed, ${failed} failed, ` +
      `${inVain} compiled in vain; recalled of the unchanged ${this.percent.toFixed(2)} % (${near}); ${differences} differences`
    )
  }

  /** The questions that cost the most, as a table; then examples. */
  get table() {
    const kinds = new Map()
    for (const { edit, changed } of this.inVain) {
      const own = [...new Set(changed.map(({ kind }) => kind))]
      for (const kind of own) {
        const row = kinds.get(kind) ?? { all: 0, alone: 0, edits: new Map(), names: new Map() }
        row.all++
        if (own.length === 1) row.alone++
        add(row.edits, edit)
        for (const each of changed) if (each.kind === kind) add(row.names, each.args.join(' '))
        kinds.set(kind, row)
      }
    }
    const rows = [...kinds].sort(([, one], [, other]) => other.all - one.all)
    return rows.flatMap(([kind, { all, alone, edits, names }]) => [
      `${kind.padEnd(16)} ${String(all).padStart(6)} in vain, ${String(alone).padStart(6)} by it alone; ${most(edits, 5)}`,
      ...[...names]
        .sort(byCount)
        .slice(0, 6)
        .map(([name, count]) => `${' '.repeat(18)}${String(count).padStart(5)} ${name}`),
    ])
  }

  /** Edits that cost the most. */
  get examples() {
    const edits = new Map()
    for (const { edit, about, changed } of this.inVain)
      add(edits, `${edit}: ${about}: ${[...new Set(changed.map(({ kind }) => kind))].join(', ')}`)
    return [...edits]
      .sort(byCount)
      .slice(0, 25)
      .map(([text, count]) => `${String(count).padStart(5)} ${text}`)
  }
}

/** The share of unchanged catalogs that were recalled. */
export function percent({ recalled, inVain }) {
  return recalled + inVain === 0 ? 100 : (100 * recalled) / (recalled + inVain)
}

function add(counts, name) {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

function most(counts, count) {
  return [...counts]
    .sort(byCount)
    .slice(0, count)
    .map(([name, some]) => `${name} ${some}`)
    .join(', ')
}

function byCount([, one], [, other]) {
  return other - one
}
