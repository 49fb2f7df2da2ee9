/** A regular expression of Ruby's dialect. */
export class Regexp {
  /** Ruby's source, flags as an inline group. */
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}
