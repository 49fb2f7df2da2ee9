/** A scalar with the same JavaScript type for all readers; Ruby's nil is `undefined`. */
export type Scalar = undefined | boolean | string | number | bigint

/**
 * Data built by a reader. Most scalars, and arrays, are JavaScript values; `Own` contains the caller's types for the
 * rest.
 */
export type Data<Own> = Scalar | Own | readonly Data<Own>[]

/** Constructors of nil, Floats and hashes, by which a reader builds the caller's data types. */
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
