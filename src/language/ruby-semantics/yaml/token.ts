import type { Mark } from './cursor.ts'

/** A token of the YAML scanner; names as in libyaml. */
export type YamlToken =
  | { readonly kind: BareKind; readonly mark: Mark }
  | { readonly kind: 'alias' | 'anchor'; readonly mark: Mark; readonly name: string }
  | { readonly kind: 'tag' | 'tag-directive'; readonly mark: Mark; readonly handle: string; readonly suffix: string }
  | { readonly kind: 'version-directive'; readonly mark: Mark; readonly major: number; readonly minor: number }
  | { readonly kind: 'scalar'; readonly mark: Mark; readonly value: string; readonly plain: boolean }

/** Tokens without a value. */
export type BareKind =
  | 'block-end'
  | 'block-entry'
  | 'block-mapping-start'
  | 'block-sequence-start'
  | 'document-end'
  | 'document-start'
  | 'flow-entry'
  | 'flow-mapping-end'
  | 'flow-mapping-start'
  | 'flow-sequence-end'
  | 'flow-sequence-start'
  | 'key'
  | 'stream-end'
  | 'value'
