const hex = '(?:0[xX][0-9A-Fa-f]+)'
const octal = '(?:0[0-7]+)'
const binary = '(?:0[bB][01]+)'
const decimal = '(?:0|[1-9]\\d*)'
const sign = '[+-]?\\s*'
const float = `(?:${decimal}(?:\\.\\d+)?(?:[eE]-?\\d+)?)`

/** Pattern of strings that convert to an Integer. */
export const INTEGER_TEXT = `\\A${sign}(?:(?:\\d+)|${hex}|${binary})\\z`
/** Pattern of strings that convert to a Float or Numeric. */
export const NUMBER_TEXT = `\\A${sign}(?:${float}|${hex}|${octal}|${binary})\\z`

const version =
  '(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?'

/** Pattern of strings that convert to a SemVer. */
export const VERSION_TEXT = `\\A${version}\\Z`
/** Pattern of the pre-release or build part of a SemVer. */
export const VERSION_QUALIFIER = '\\A(?<part>[0-9A-Za-z-]+)(?:\\.\\g<part>)*\\Z'

/** Pattern of a format directive of `String.new`. */
export const STRING_FORMAT = '^%([\\s\\[+#0{<(|-]*)([1-9][0-9]*)?(?:\\.([0-9]+))?([a-zA-Z])$'
