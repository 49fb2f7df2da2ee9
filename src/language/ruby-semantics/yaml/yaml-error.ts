import type { Mark } from './cursor.ts'

/** Text that is no YAML, or asks for what data may not be; `message` says it, with line and column where there are any. */
export class YamlError extends Error {
  /** The offset of the error in the text, if known. */
  readonly offset: number | undefined

  constructor(message: string, offset?: number) {
    super(message)
    this.offset = offset
  }

  /** The message with the file, as Puppet says it (util/yaml.rb); Psych does not name the file for two kinds of errors. */
  inFile(file: string): string {
    return /^(?:Unknown alias|invalid value for)/.test(this.message) ? this.message : `(${file}): ${this.message}`
  }
}

/** An error in libyaml's words and at the place Psych names: where that begins which could not be read. */
export function syntaxError(problem: string, context: string | undefined, mark: Mark, at = mark): YamlError {
  const said = context === undefined ? problem : `${problem} ${context}`
  return new YamlError(`${said} at line ${mark.line + 1} column ${mark.column + 1}`, at.index)
}

/** An error that libyaml gives no context; Psych then names the first line. */
export function placelessError(problem: string, offset: number): YamlError {
  return new YamlError(`${problem} at line 1 column 1`, offset)
}
