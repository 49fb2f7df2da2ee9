import type { Manifest } from '../manifest/manifest.ts'
import type { TokenList } from '../tokens/token-list.ts'

/** A check of manifests, with the name and the results of the check in puppet-lint or in one of its plug-ins. */
export interface Check {
  readonly name: string
  /** One sentence for reports. */
  readonly doc: string
  /** The page of the style guide or another rule. */
  readonly helpUri?: string
  /** True if the check runs only when it is enabled. */
  readonly isOptional?: true
  check(manifest: Manifest, report: Report): void
}

/** Reports a problem that a check found. */
export type Report = (finding: Finding) => void

/** A problem, with its correction. */
export interface Finding {
  readonly severity: 'warning' | 'error'
  readonly message: string
  readonly at: { readonly line: number; readonly column: number }
  /** Changes the tokens. False if the problem remains. Runs after all checks. */
  fix?(list: TokenList): boolean
  /** True if the manifest has a syntax error, which prevents corrections. */
  readonly isSyntaxError?: true
}

/** The style guide's section with an anchor. */
export function styleGuide(anchor: string): string {
  return `https://puppet.com/docs/puppet/latest/style_guide.html#${anchor}`
}
