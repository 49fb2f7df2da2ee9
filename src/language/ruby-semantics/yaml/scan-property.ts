import type { Mark, YamlCursor } from './cursor.ts'
import type { YamlToken } from './token.ts'
import { createYamlError } from './yaml-error.ts'

const isWordCharacter = (character: string) => /[0-9A-Za-z_-]/.test(character)

/** Reads `&name` or `*name`. */
export function scanAnchor(cursor: YamlCursor, kind: 'alias' | 'anchor'): YamlToken {
  const mark = cursor.mark
  cursor.take()
  const name = cursor.takeWhile(isWordCharacter)
  if (name === '' || !(cursor.isBlankOrEnd() || /[?:,\]}%@`]/.test(cursor.at())))
    throw createYamlError(
      'did not find expected alphabetic or numeric character',
      `while scanning an ${kind}`,
      mark,
      cursor.mark,
    )
  return { kind, mark, name }
}

/** Reads `!tag`, `!handle!tag` or `!<tag>`. */
export function scanTag(cursor: YamlCursor, inFlow: boolean): YamlToken {
  const mark = cursor.mark
  const context = 'while scanning a tag'
  const tag = cursor.at(1) === '<' ? scanVerbatimTag(cursor, mark) : scanShortTag(cursor, mark)
  if (!(inFlow && cursor.at() === ',') && !cursor.isBlankOrEnd())
    throw createYamlError('did not find expected whitespace or line break', context, mark, cursor.mark)
  return { kind: 'tag', mark, ...tag }
}

function scanVerbatimTag(cursor: YamlCursor, mark: Mark) {
  cursor.take(2)
  const suffix = scanUri(cursor, mark, { verbatim: true })
  if (cursor.at() !== '>')
    throw createYamlError("did not find the expected '>'", 'while scanning a tag', mark, cursor.mark)
  cursor.take()
  return { handle: '', suffix }
}

function scanShortTag(cursor: YamlCursor, mark: Mark) {
  const handle = scanHandle(cursor)
  if (handle.length > 1 && handle.endsWith('!')) return { handle, suffix: scanUri(cursor, mark, {}) }
  const suffix = scanUri(cursor, mark, { head: handle })
  return suffix === '' ? { handle: '', suffix: '!' } : { handle: '!', suffix }
}

function scanHandle(cursor: YamlCursor): string {
  const handle = cursor.take() + cursor.takeWhile(isWordCharacter)
  return cursor.at() === '!' ? handle + cursor.take() : handle
}

function scanUri(
  cursor: YamlCursor,
  start: Mark,
  { head, verbatim = false, directive = false }: { head?: string; verbatim?: boolean; directive?: boolean },
): string {
  const context = directive ? 'while parsing a %TAG directive' : 'while parsing a tag'
  const characters = verbatim ? /[-\w;/?:@&=+$.!~*'()%,[\]]/ : /[-\w;/?:@&=+$.!~*'()%]/
  const rest = cursor.takeWhile((character) => characters.test(character))
  if ((head ?? '') + rest === '') throw createYamlError('did not find expected tag URI', context, start, cursor.mark)
  const uri = (head ?? '').slice(1) + rest
  try {
    return decodeURIComponent(uri)
  } catch {
    throw createYamlError('did not find URI escaped octet', context, start, cursor.mark)
  }
}

/** Reads a directive line, which starts with `%`. */
export function scanDirective(cursor: YamlCursor): YamlToken {
  const mark = cursor.mark
  const context = 'while scanning a directive'
  cursor.take()
  const name = cursor.takeWhile(isWordCharacter)
  if (name === '') throw createYamlError('could not find expected directive name', context, mark, cursor.mark)
  if (!cursor.isBlankOrEnd())
    throw createYamlError('found unexpected non-alphabetical character', context, mark, cursor.mark)
  if (name !== 'YAML' && name !== 'TAG')
    throw createYamlError('found unknown directive name', context, mark, cursor.mark)
  cursor.skipBlanks()
  const token = name === 'YAML' ? scanVersion(cursor, mark) : scanTagDirective(cursor, mark)
  if (!cursor.skipToLineEnd())
    throw createYamlError('did not find expected comment or line break', context, mark, cursor.mark)
  cursor.takeBreak()
  return token
}

function scanVersion(cursor: YamlCursor, mark: Mark): YamlToken {
  const context = 'while scanning a %YAML directive'
  const scanDigits = () => {
    const digits = cursor.takeWhile((character) => /\d/.test(character))
    if (digits === '') throw createYamlError('did not find expected version number', context, mark, cursor.mark)
    if (digits.length > 9) throw createYamlError('found extremely long version number', context, mark, cursor.mark)
    return Number(digits)
  }
  const major = scanDigits()
  if (cursor.at() !== '.')
    throw createYamlError("did not find expected digit or '.' character", context, mark, cursor.mark)
  cursor.take()
  return { kind: 'version-directive', mark, major, minor: scanDigits() }
}

function scanTagDirective(cursor: YamlCursor, mark: Mark): YamlToken {
  const context = 'while scanning a %TAG directive'
  if (cursor.at() !== '!')
    throw createYamlError("did not find expected '!'", 'while scanning a directive', mark, cursor.mark)
  const handle = scanHandle(cursor)
  if (handle !== '!' && !handle.endsWith('!'))
    throw createYamlError("did not find expected '!'", 'while parsing a tag directive', mark, cursor.mark)
  if (!cursor.isBlank()) throw createYamlError('did not find expected whitespace', context, mark, cursor.mark)
  cursor.skipBlanks()
  const suffix = scanUri(cursor, mark, { directive: true, verbatim: true })
  if (!cursor.isBlankOrEnd())
    throw createYamlError('did not find expected whitespace or line break', context, mark, cursor.mark)
  return { kind: 'tag-directive', mark, handle, suffix }
}
