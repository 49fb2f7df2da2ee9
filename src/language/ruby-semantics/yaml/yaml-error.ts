import type { Mark } from './cursor.ts'

/** Invalid YAML, or YAML with forbidden tags; `message` contains line and column if known. */
export class YamlError extends Error {
  /** Offset of the error in the text, if known. */
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.offset = offset
  }

  /**
   * Message with the file name as in Puppet (util/yaml.rb); for two kinds of errors, Psych does not
   * name the file.
   */
  inFile(file: string): string {
    return /^(?:Unknown alias|invalid value for)/.test(this.message) ? this.message : `(${file}): ${this.message}`
  }
}

/** A libyaml error at the position that Psych reports: the start of the unreadable part. */
export function syntaxError(problem: string, context: string | undefined, mark: Mark, at = mark): YamlError {
  const said = context === undefined ? problem : `${problem} ${context}`
  return new YamlError(`${said} at line ${mark.line + 1} column ${mark.column + 1}`, at.index)
}

/** A libyaml error without context; Psych reports the first line. */
export function placelessError(problem: string, offset: number): YamlError {
  return new YamlError(`${problem} at line 1 column 1`, offset)
}
