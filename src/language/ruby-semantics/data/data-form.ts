/** A scalar that exists in Ruby and JavaScript; nil is `undefined`. */
export type Scalar = undefined | boolean | string | number | bigint

/** Data built by a reader: most scalars and arrays are JavaScript's, the rest has the caller's types. */
export type Data<Own> = Scalar | Own | readonly Data<Own>[]

/** Constructors of nil, Floats and hashes for one representation of data. */
export interface DataForm<Own> {
  readonly nil: Data<Own>
  float(value: number): Own
  /** Builds a hash from ordered entries; a later entry with an equal key replaces the value. */
  hash(entries: readonly Entry<Own>[]): Own
  /** Entries of a hash of this form; `undefined` for other data. */
  entriesOf(data: Data<Own>): Iterable<Entry<Own>> | undefined
}

/** A hash entry; keys can be any data. */
export type Entry<Own> = readonly [key: Data<Own>, value: Data<Own>]
