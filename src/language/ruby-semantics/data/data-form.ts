/** A scalar with the same JavaScript type for all readers; Ruby's nil is `undefined`. */
export type RubyScalar = undefined | boolean | string | number | bigint

/**
 * Data built by a reader. Most scalars, and arrays, are JavaScript values; `Own` contains the caller's types for the
 * rest.
 */
export type RubyData<Own> = RubyScalar | Own | readonly RubyData<Own>[]

/** Constructors of nil, Floats and hashes, by which a reader builds the caller's data types. */
export interface DataForm<Own> {
  readonly nil: RubyData<Own>
  float(value: number): Own
  /** Builds a hash from ordered entries; a later entry with an equal key replaces the value. */
  hash(entries: readonly HashEntry<Own>[]): Own
  /** Entries of a hash of this form; `undefined` for other data. */
  entriesOf(data: RubyData<Own>): Iterable<HashEntry<Own>> | undefined
}

/** A hash entry; keys can be any data. */
export type HashEntry<Own> = readonly [key: RubyData<Own>, value: RubyData<Own>]
