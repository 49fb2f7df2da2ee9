/** A line of a tree with its children. */
export interface Branch {
  readonly text: string
  readonly below: readonly Branch[]
}

/** Formats branches as lines with connecting characters. */
export function formatTree(branches: readonly Branch[], indent = ''): readonly string[] {
  return branches.flatMap(({ text, below: under }, at) => {
    const last = at === branches.length - 1
    const stroke = `${last ? '└' : '├'}─${under.length > 0 ? '┬' : '─'} `
    return [`${indent}${stroke}${text}`, ...formatTree(under, `${indent}${last ? '  ' : '│ '}`)]
  })
}
