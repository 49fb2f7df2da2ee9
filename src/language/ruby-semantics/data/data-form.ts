/** A scalar that Ruby and JavaScript both have; nil is `undefined`. */
export type Scalar = undefined | boolean | string | number | bigint

/** Data that a reader builds: most scalars and arrays are JavaScript's own, the rest is its caller's. */
export type Data<Own> = Scalar | Own | readonly Data<Own>[]

/** The caller's side of a reader: nil, Floats and hashes of one kind of data. */
export interface DataForm<Own> {
  readonly nil: Data<Own>
  float(value: number): Own
  /** Entries in order; a later one replaces the value of an earlier one with an equal key. */
  hash(entries: readonly Entry<Own>[]): Own
  /** The entries of a hash of this form; `undefined` for other data. */
  entriesOf(data: Data<Own>): Iterable<Entry<Own>> | undefined
}

/** A key and its value; a key may be any data. */
export type Entry<Own> = readonly [key: Data<Own>, value: Data<Own>]
