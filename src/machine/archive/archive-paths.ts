import { budgets } from '../../base/budgets/budgets.ts'
import { toPrintable } from '../../base/text/printable.ts'

const { path: longest, depth } = budgets.module

/** Characters that HFS+ ignores in names: on HFS+, `.g\u200cit` is the same name as `.git`. CVE-2014-9390. */
const ignored = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Normalizes a path of an archive, removing `./` and trailing slashes, or returns the reason for
 * rejecting it; `''` is the root.
 */
export function normalizeArchivePath(given: string): { readonly path: string } | { readonly why: string } {
  if (Buffer.byteLength(given) > longest.bound) return { why: `the path exceeds ${longest.bound} bytes` }
  if (given.startsWith('/')) return { why: 'the path is absolute' }
  const parts = given.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return { why: "the path contains '..'" }
  if (parts.length > depth.bound) return { why: `the path is more than ${depth.bound} directories deep` }
  if (given.includes('\\')) return { why: 'the path contains a backslash' }
  if (given.includes('\ufffd')) return { why: 'the path is not UTF-8' }
  if (toPrintable(given) !== given) return { why: 'the path contains unprintable characters' }
  if (parts.some(isGitFolder)) return { why: 'Git reserves the path' }
  return { path: parts.join('/') }
}

/**
 * Returns true for a name that some file system treats as `.git`: in any case, NTFS's `git~1`, with
 * trailing blanks or periods.
 */
export function isGitFolder(name: string): boolean {
  const plain = name.replace(ignored, '').toLowerCase()
  return /^(?:\.git|git~\d)[ .]*(?::|$)/.test(plain)
}

/**
 * Returns the path of a link's target; `undefined` if it is, or may be, outside the root: `..`
 * after a name is ambiguous, since the name may itself be a link.
 */
export function resolveLink(path: string, target: string): string | undefined {
  if (target.startsWith('/') || target === '' || toPrintable(target) !== target || target.includes('\\'))
    return undefined
  const parts = path.split('/').slice(0, -1)
  let isDown = false
  for (const part of target.split('/')) {
    if (part === '..') {
      if (isDown || parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') {
      parts.push(part)
      isDown = true
    }
  }
  return parts.join('/')
}
