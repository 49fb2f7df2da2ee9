import { findNext } from '../../../manifest/token-search.ts'
import type { Token } from '../../../tokens/token.ts'
import type { TokenList } from '../../../tokens/token-list.ts'
import type { Check } from '../../check.ts'
import { findSolidAfter, insertSpace, isSingleSpace, removeSpaceBetween, setSingleSpace } from './spaces.ts'

/** `manifest_whitespace_arrows_single_space_after` */
export const spaceAfterArrow: Check = {
  name: 'manifest_whitespace_arrows_single_space_after',
  doc: 'One space is after an arrow.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be a single space after an arrow'
    for (const { next } of manifest.select('FARROW')) {
      if (!next || isSingleSpace(next)) continue
      report({ severity: 'error', message, at: next, fix: (list) => setSingleSpace(next, list) })
    }
  },
}

/** `manifest_whitespace_inherits_name_single_space_before` */
export const spaceAfterInherits: Check = {
  name: 'manifest_whitespace_inherits_name_single_space_before',
  doc: 'One space is between inherits and the name of the class.',
  isOptional: true,
  check(manifest, report) {
    const message = 'there should be a single space between the inherits statement and the name'
    for (const keyword of manifest.select('INHERITS')) {
      const { next } = keyword
      const name = findNext(keyword, 'NAME', 'FUNCTION_NAME')
      if (!name || !next || isOneSpaceBetween(keyword, name)) continue
      report({ severity: 'error', message, at: next, fix: () => shortenSpace(next) })
    }
  },
}

/** `manifest_whitespace_class_name_single_space_before` */
export const spaceBeforeClassName: Check = {
  name: 'manifest_whitespace_class_name_single_space_before',
  doc: 'One space is between class or define and the name.',
  isOptional: true,
  check({ definitions }, report) {
    const message = 'there should be a single space between the class or defined resource statement and the name'
    for (const { keyword } of definitions) {
      const { next } = keyword
      const name = findNext(keyword, 'NAME', 'FUNCTION_NAME')
      if (!name || !next || isOneSpaceBetween(keyword, name)) continue
      report({ severity: 'error', message, at: next, fix: () => shortenSpace(next) })
    }
  },
}

/** `manifest_whitespace_class_name_single_space_after` */
export const spaceAfterClassName: Check = {
  name: 'manifest_whitespace_class_name_single_space_after',
  doc: 'One space is after the name of a class or defined type.',
  isOptional: true,
  check({ definitions }, report) {
    const message = 'there should be a single space between the class or resource name and the next item'
    for (const { keyword } of definitions) {
      const name = findNext(keyword, 'NAME', 'FUNCTION_NAME')
      const following = name && findSolidAfter(name)
      if (!name || !following || isOneSpaceBetween(name, following)) continue
      report({ severity: 'error', message, at: name, fix: (list) => putOneSpaceAfter(name, list) })
    }
  },
}

function isOneSpaceBetween(first: Token, second: Token): boolean {
  return first.next !== undefined && isSingleSpace(first.next) && second.index === first.index + 2
}

function shortenSpace(token: Token): boolean {
  if (token.type !== 'WHITESPACE') return false
  token.value = ' '
  return true
}

function putOneSpaceAfter(token: Token, list: TokenList): boolean {
  const following = findSolidAfter(token)
  if (!following) return false
  removeSpaceBetween(token, following, list)
  insertSpace(following, list)
  return true
}
