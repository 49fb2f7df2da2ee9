import type { Resource } from '../../manifest/resources.ts'
import { Token } from '../../tokens/token.ts'
import type { TokenList } from '../../tokens/token-list.ts'
import { type Check, styleGuide } from '../check.ts'
import { quoteToken } from '../quote.ts'

/** The value's first token, for each attribute with a name. */
function findValues({ parameters }: Resource, name: string): { readonly name: Token; readonly value: Token }[] {
  return parameters.flatMap((each) => {
    const value = each.nextCode?.nextCode
    return each.value === name && value ? [{ name: each, value }] : []
  })
}

/** `ensure_not_symlink_target` */
export const ensureNotSymlinkTarget: Check = {
  name: 'ensure_not_symlink_target',
  doc: 'The attribute ensure of a file is not the target of a link.',
  helpUri: styleGuide('symbolic-links'),
  check({ resources }, report) {
    for (const resource of resources) {
      if (resource.type?.value !== 'file') continue
      for (const { name, value } of findValues(resource, 'ensure')) {
        if (!value.value.startsWith('/')) continue
        const fix = (list: TokenList) => addTarget(name, value, list)
        report({ severity: 'warning', message: 'symlink target specified in ensure attr', at: value, fix })
      }
    }
  },
}

function addTarget(ensure: Token, value: Token, list: TokenList): boolean {
  const added = [
    new Token('NAME', 'symlink'),
    new Token('COMMA', ','),
    new Token('NEWLINE', list.lineBreak),
    new Token('INDENT', ensure.previous?.type === 'INDENT' ? ensure.previous.value : ' '),
    new Token('NAME', 'target'),
    new Token('WHITESPACE', ' '),
    new Token('FARROW', '=>'),
    new Token('WHITESPACE', ' '),
  ]
  for (const token of added) list.placeBefore(token, value)
  return true
}

const mode = /^(?:[0-7]{4}|[ugoa]*[-=+][-=+rstwxXugo]*(?:,[ugoa]*[-=+][-=+rstwxXugo]*)*)\n?$/

const hasMode = ({ type }: Resource): boolean => type?.value === 'file' || type?.value === 'concat'

/** `file_mode` */
export const fileMode: Check = {
  name: 'file_mode',
  doc: 'The mode of a file has four octal digits or is symbolic.',
  helpUri: styleGuide('file-modes'),
  check({ resources }, report) {
    const message = 'mode should be represented as a 4 digit octal value or symbolic mode'
    for (const resource of resources.filter(hasMode)) {
      for (const { value } of findValues(resource, 'mode')) {
        // As in puppet-lint, the first acceptable mode of a resource ends the check of the resource.
        if (value.type === 'VARIABLE' || value.type === 'UNDEF' || value.type === 'FUNCTION_NAME') break
        if (mode.test(value.value)) break
        report({ severity: 'warning', message, at: value, fix: () => addZero(value) })
      }
    }
  },
}

function addZero(token: Token): boolean {
  if (!/^[0-7]{3}$/.test(token.value)) return false
  token.type = 'SSTRING'
  token.value = `0${token.value}`
  return true
}

/** `unquoted_file_mode` */
export const unquotedFileMode: Check = {
  name: 'unquoted_file_mode',
  doc: 'The mode of a file is quoted.',
  helpUri: styleGuide('file-modes'),
  check({ resources }, report) {
    for (const resource of resources.filter(hasMode)) {
      for (const { value } of findValues(resource, 'mode')) {
        if (value.type !== 'NAME' && value.type !== 'NUMBER') continue
        report({ severity: 'warning', message: 'unquoted file mode', at: value, fix: quoteToken(value) })
      }
    }
  },
}
