/** A version by semver.org 2.0. */
export class SemVer {
  readonly version: string

  constructor(version: string) {
    this.version = version
  }
}

/** A range of versions. */
export class SemVerRange {
  /** As written. */
  readonly range: string

  constructor(range: string) {
    this.range = range
  }
}
