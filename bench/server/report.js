// The table, and whether the promise is kept.

/** What Plumbline promises to be, beside Puppet Server. */
export const promises = { warm: 20, push: 10, memory: 4, recalled: 300, recalledWork: 4 }

/** Lines of a table: what it is, ours, theirs, how much better, what is promised. */
export function printTable(rows, names) {
  const lines = [['', ...names, 'ratio', 'promised'], ...rows]
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  for (const line of lines)
    console.log(
      widths
        .map((width, column) =>
          column === 0 ? (line[column] ?? '').padEnd(width) : (line[column] ?? '').padStart(width),
        )
        .join('   ')
        .trimEnd(),
    )
}

export const ms = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
export const times = (value) => `${value.toFixed(1)}x`
