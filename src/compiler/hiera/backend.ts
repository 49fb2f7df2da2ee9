import type { Diagnostic } from '../../base/issue.ts'
import type { Hash } from '../../language/values/hash.ts'

/** A `data_hash` function that is built in: all the data of one file. */
export interface Backend {
  /** As `data_hash:` names it. */
  readonly name: string
  readonly doc: string
  /** The data of a file; complaints name `path`. Pure, so that the data can be kept by the file's id. */
  read(text: string, path: string, warn: (diagnostic: Diagnostic) => void): Hash
}
