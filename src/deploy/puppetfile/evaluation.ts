/** A Puppetfile to evaluate, and the context that its Ruby code can read. */
export interface EvaluationQuestion {
  readonly text: string
  readonly environment: string
  readonly branch: string
  /** The commit whose files the Ruby code can read; undefined if it cannot read files. */
  readonly commit: string | undefined
  readonly maxDeclarations: number
}

/** The recorded declarations as JSON, or an exception that was not rescued. */
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

/** A query of the evaluating thread for the files of a commit, or for the content of a file. */
export type CommitQuestion =
  | { readonly kind: 'files'; readonly commit: string }
  | { readonly kind: 'blob'; readonly oid: string }
