import type { Mark } from './cursor.ts'

/** Error for invalid YAML or a forbidden tag; `message` contains line and column if known. */
export class YamlError extends Error {
  /** Offset of the error in the text, if known. */
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.offset = offset
  }

  /**
   * Adds the file name to the message as Puppet does (util/yaml.rb). For two kinds of errors, Psych does not name the
   * file.
   */
  inFile(file: string): string {
    return /^(?:Unknown alias|invalid value for)/.test(this.message) ? this.message : `(${file}): ${this.message}`
  }
}

/** Creates a libyaml error at the position that Psych reports: the start of the unreadable part. */
export function createYamlError(problem: string, context: string | undefined, mark: Mark, at = mark): YamlError {
  const said = context === undefined ? problem : `${problem} ${context}`
  return new YamlError(`${said} at line ${mark.line + 1} column ${mark.column + 1}`, at.index)
}

/** Creates a libyaml error without context, for which Psych reports line 1. */
export function createPlacelessError(problem: string, offset: number): YamlError {
  return new YamlError(`${problem} at line 1 column 1`, offset)
}
