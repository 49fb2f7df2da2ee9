import { reasonText } from '../../../../language/ruby-semantics/errno.ts'
import { checkRegexp, isMatch } from '../../../../language/ruby-semantics/regexp/match.ts'
import { bytesOf, chomped, textOf } from '../../line-files.ts'

/** Comparison of lines of a file with texts and patterns of a manifest, as Ruby compares across encodings. */
export interface LineReader {
  /** True for a line that is the text, its end aside. */
  is(line: string, text: string): boolean
  /** True for a line in which the pattern occurs. Throws what Ruby says of bytes that are none of the encoding. */
  matches(line: string, pattern: string): boolean
}

const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

/** A reader of lines in an encoding of that name; of UTF-8 where Ruby knows none of it, as Ruby does. */
export function lineReader(name: string): LineReader {
  const encoding = name.toUpperCase()
  if (/^UTF-?(?:16|32)/.test(encoding)) throw new Error('ASCII incompatible encoding needs binmode')
  const decode = decoderOf(encoding)
  const isUnicode = decode === undefined
  return {
    is: (line, text) => chomped(line) === bytesOf(text) && (isUnicode || isAscii(line)),
    matches(line, pattern) {
      if (isAscii(line)) return isMatch({ source: pattern }, line)
      if (isUnicode) return isMatch({ source: pattern }, textOf(line))
      if (!isAscii(pattern))
        throw new Error(`incompatible encoding regexp match (UTF-8 regexp with ${encoding} string)`)
      return isMatch({ source: pattern }, decode(line))
    },
  }
}

/** Throws what Ruby says of a pattern that is none. */
export function checkPattern(pattern: string): void {
  try {
    checkRegexp(pattern)
  } catch (error) {
    throw new Error(reasonText(error))
  }
}

/** `undefined` for UTF-8, and for a name that nobody knows. */
function decoderOf(encoding: string): ((line: string) => string) | undefined {
  if (encoding === 'UTF-8') return undefined
  if (['ISO-8859-1', 'ISO8859-1', 'ASCII-8BIT', 'BINARY'].includes(encoding)) return (line) => line
  const invalid = () => new Error(`invalid byte sequence in ${encoding}`)
  if (encoding === 'US-ASCII' || encoding === 'ASCII')
    return () => {
      throw invalid()
    }
  try {
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
    return (line) => {
      try {
        return decoder.decode(Buffer.from(line, 'latin1'))
      } catch {
        throw invalid()
      }
    }
  } catch {
    return undefined
  }
}
