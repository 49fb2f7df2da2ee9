/** A Puppetfile that is to be evaluated, and what its Ruby may know. */
export interface EvaluationQuestion {
  readonly text: string
  readonly environment: string
  readonly branch: string
  /** The commit whose files it sees; without it none. */
  readonly commit: string | undefined
  readonly maxDeclarations: number
}

/** The notes of its Ruby, as JSON, or an exception that nobody rescued. */
export type EvaluationAnswer =
  | { readonly json: string }
  | {
      readonly error: {
        readonly kind: string
        readonly message: string
        readonly line: number
        readonly column: number
      }
    }

/** A question of the thread's about the commit: its files, or the content of one. */
export type CommitQuestion =
  | { readonly kind: 'files'; readonly commit: string }
  | { readonly kind: 'blob'; readonly oid: string }
