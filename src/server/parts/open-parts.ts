import type { OpenedPart, Part, PartValues } from './part.ts'

/**
 * Parts in opening order. TypeScript rejects a part that is added before a part it needs. `Known` has the values of
 * all parts added so far.
 */
export interface PartsTable<Start, Known> {
  /** Names of the parts and of their needs. The parts of a row open and close concurrently. */
  readonly rows: readonly (readonly Pick<Part<string, never, OpenedPart>, 'name' | 'needs'>[])[]
  /** Adds a row of one part, or of several that open concurrently. */
  add<const Row extends readonly Part<string, Known, OpenedPart>[]>(
    ...row: Row
  ): PartsTable<Start, Known & PartValues<Row>>
  /**
   * Opens all parts and returns their values. The caller must close `parts`, even after an error.
   */
  open(start: Start, parts: OpenParts): Promise<Known>
}

/** A table without parts. `Start` is available to each part. */
export function createPartsTable<Start>(): PartsTable<Start, Start> {
  return extendTable([], async (start) => start)
}

function extendTable<Start, Known>(
  rows: PartsTable<Start, Known>['rows'],
  open: PartsTable<Start, Known>['open'],
): PartsTable<Start, Known> {
  return {
    rows,
    open,
    add: (...row) =>
      extendTable([...rows, row], async (start, parts) => {
        const known = await open(start, parts)
        return { ...known, ...(await parts.open(row, known)) }
      }),
  }
}

/** The open parts of one server. */
export class OpenParts {
  readonly #rows: (readonly OpenedPart[])[] = []

  /**
   * Opens the parts of a row concurrently. If some fail, throws the first error after all have
   * finished.
   */
  async open<Known, const Row extends readonly Part<string, Known, OpenedPart>[]>(
    row: Row,
    known: Known,
  ): Promise<PartValues<Row>> {
    const results = await Promise.allSettled(row.map(async ({ open }) => open(known)))
    this.#rows.push(results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])))
    const values = results.map((result, index) => {
      if (result.status === 'rejected') throw result.reason
      return [row[index]!.name, result.value.value] as const
    })
    return Object.fromEntries(values) as PartValues<Row>
  }

  /** The results of all open parts, in the order of the table. */
  opened(): readonly OpenedPart[] {
    return this.#rows.flat()
  }

  /** Closes the parts, the last row first. */
  async close(): Promise<void> {
    for (const row of this.#rows.toReversed()) await Promise.all(row.map((each) => each.close?.()))
  }
}
