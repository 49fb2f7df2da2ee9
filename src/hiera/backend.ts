import type { Hash } from '../language/values/hash.ts'

/** A `data_hash` function that is built in: all the data of one file. */
export interface Backend {
  /** As `data_hash:` names it. */
  readonly name: string
  readonly doc: string
  /** What a file holds; `path` and `warn` are for what is to be said of it. Pure, so that it is kept by the file's id. */
  read(text: string, path: string, warn: (message: string) => void): Hash
}
