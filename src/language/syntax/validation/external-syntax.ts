import { PuppetError, throwIssue } from '../../../base/issue.ts'
import type { Source, SourceSpan } from '../../../base/source.ts'
import { validationIssues } from '../issues/validation.ts'
import { findJsonError } from './json-syntax.ts'

/** Parses Puppet code and throws its errors; the implementation is `parseAndValidate`. */
export type SyntaxReader = (source: Source, options: { readonly epp: boolean }) => unknown

/** Throws if a text is invalid in the syntax that its heredoc specifies. Does not check unknown syntaxes. */
export function checkExternalSyntax(text: string, syntax: string, span: SourceSpan, read: SyntaxReader): void {
  const parts = syntax.split('+')
  const checker = parts.map((_, index) => checkers[parts.slice(index).join('+')]).find((each) => each !== undefined)
  const detail = syntax === '' ? undefined : checker?.(text, read)
  if (detail !== undefined) throwIssue(validationIssues.INVALID_PRODUCED_TEXT, { syntax, detail }, span)
}

/**
 * Checks by name of the syntax. Each check returns Puppet's message for an invalid text. Puppet:
 * lib/puppet/syntax_checkers.
 */
const checkers: Readonly<Record<string, (text: string, read: SyntaxReader) => string | undefined>> = {
  base64(text) {
    const clean = text.replace(/[\r?\n \t]/g, '')
    if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(clean)) return undefined
    const why =
      (Buffer.byteLength(clean) * 8) % 6 === 0
        ? 'contains letters outside strict base 64 range (or whitespace)'
        : 'padding is not correct'
    return `Base64 syntax checker: Cannot parse invalid Base64 string - ${why}`
  },
  json(text) {
    const why = findJsonError(text)?.slice(0, 100).replace(/\r?\n/g, '\\n')
    return why && `JSON syntax checker: Cannot parse invalid JSON string. "${why}"`
  },
  pp: (text, read) => findSyntaxError('PP', () => read({ file: undefined, text }, { epp: false })),
  epp: (text, read) => findSyntaxError('EPP', () => read({ file: undefined, text }, { epp: true })),
}

function findSyntaxError(name: string, read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (!(error instanceof PuppetError)) throw error
    return `${name} syntax checker: "${error.message.slice(0, 500).replace(/\r?\n/g, '\\n')}"`
  }
}
