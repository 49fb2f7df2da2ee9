/** A scalar that each reader of JSON or YAML returns as the same JavaScript type; Ruby's nil is `undefined`. */
export type RubyScalar = undefined | boolean | string | number | bigint

/**
 * Data returned by a reader of JSON or YAML. Arrays and most scalars are JavaScript values; `Own` contains the
 * caller's types for all other data.
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
