import { formatErrorReason } from '../../../../language/ruby-semantics/errno.ts'
import { checkRegexp, isMatch } from '../../../../language/ruby-semantics/regexp/match.ts'
import { chompLine, decodeByteString, toByteString } from '../../line-files.ts'

/** Compares lines of a file with texts and patterns of a manifest, as Ruby does across encodings. */
export interface LineReader {
  /** True if the line without its line ending equals the text. */
  is(line: string, text: string): boolean
  /** True if the pattern matches in the line. Throws Ruby's error for bytes that are invalid in the encoding. */
  matches(line: string, pattern: string): boolean
}

const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

/** A reader for the named encoding. As in Ruby, an unknown name means UTF-8. */
export function createLineReader(name: string): LineReader {
  const encoding = name.toUpperCase()
  if (/^UTF-?(?:16|32)/.test(encoding)) throw new Error('ASCII incompatible encoding needs binmode')
  const decode = createDecoder(encoding)
  const isUnicode = decode === undefined
  return {
    is: (line, text) => chompLine(line) === toByteString(text) && (isUnicode || isAscii(line)),
    matches(line, pattern) {
      if (isAscii(line)) return isMatch({ source: pattern }, line)
      if (isUnicode) return isMatch({ source: pattern }, decodeByteString(line))
      if (!isAscii(pattern))
        throw new Error(`incompatible encoding regexp match (UTF-8 regexp with ${encoding} string)`)
      return isMatch({ source: pattern }, decode(line))
    },
  }
}

/** Throws Ruby's error for an invalid pattern. */
export function checkPattern(pattern: string): void {
  try {
    checkRegexp(pattern)
  } catch (error) {
    throw new Error(formatErrorReason(error))
  }
}

/** The decoder; undefined for UTF-8 and for an unknown name. */
function createDecoder(encoding: string): ((line: string) => string) | undefined {
  if (encoding === 'UTF-8') return undefined
  if (['ISO-8859-1', 'ISO8859-1', 'ASCII-8BIT', 'BINARY'].includes(encoding)) return (line) => line
  const createEncodingError = () => new Error(`invalid byte sequence in ${encoding}`)
  if (encoding === 'US-ASCII' || encoding === 'ASCII')
    return () => {
      throw createEncodingError()
    }
  try {
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
    return (line) => {
      try {
        return decoder.decode(Buffer.from(line, 'latin1'))
      } catch {
        throw createEncodingError()
      }
    }
  } catch {
    return undefined
  }
}
