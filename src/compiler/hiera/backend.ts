import type { Diagnostic } from '../../base/issue.ts'
import type { Hash } from '../../language/values/hash.ts'

/** A built-in `data_hash` function, which reads all the data of one file. */
export interface Backend {
  /** Name used for `data_hash:` in hiera.yaml. */
  readonly name: string
  readonly doc: string
  /**
   * Parses the text of a data file; `path` is for messages only. The result depends only on the text, so that it can be
   * cached by file id.
   */
  read(text: string, path: string, warn: (diagnostic: Diagnostic) => void): Hash
}
