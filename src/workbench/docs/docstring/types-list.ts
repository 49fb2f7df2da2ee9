/** Text of a tag, split at its list of types: `name [Type, Type] text`. */
export interface TypesList {
  /** The text before the list; undefined if it is empty. */
  readonly before: string | undefined
  /** The types as written; undefined if there is no list. */
  readonly types: readonly string[] | undefined
  readonly rest: string
}

/** The brackets around a list of types. */
export interface TypeBrackets {
  readonly opening: string
  readonly closing: string
}

const allBrackets: TypeBrackets = { opening: '[({<', closing: '>})]' }

/** Name of a Ruby method after `#`. YARD: CodeObjects::METHODNAMEMATCH. */
const methodName = /[a-zA-Z_]\w*[!?=]?|[-+~]@|<<|>>|=~|===?|![=~]?|<=>|[<>]=?|\*\*|[-/+%^&*~`|]|\[\]=?/g

/**
 * Finds the list of types in the text of a tag. Quoted texts and method names in the list are taken as a whole. YARD:
 * Tags::DefaultFactory, whose results this function has, including those for unbalanced brackets and quotes.
 */
export function splitTypesList(text: string, { opening, closing }: TypeBrackets = allBrackets): TypesList {
  const quotes = { '"': createQuoteSearch(text, '"'), "'": createQuoteSearch(text, "'") }
  const methods = createMethodSearch(text)
  const list = ['']
  const add = (part: string) => list.push(list.pop()! + part)
  let [before, level, end, lastSeen, seenSpace] = ['', 0, 0, '', false]
  for (let i = 0; i < text.length; ) {
    const c = text[i]!
    const found = c === '"' || c === "'" ? quotes[c](i) : level > 0 && c === '#' ? methods(i + 1) : undefined
    if (found !== undefined) {
      add(c === '#' ? c + found : found)
      i += found.length + (c === '#' ? 1 : 0)
      continue
    }
    if (opening.includes(c)) {
      if (level > 0) add(c)
      level++
    } else if (closing.includes(c)) {
      if (!(lastSeen === '=' && c === '>')) level--
      if (level === 0) {
        end = i
        break
      }
      add(c)
    } else if (c === ',' && level === 1) list.push('')
    else if (!/[ \t\n\v\f\r]/.test(c) && level === 0) {
      if (seenSpace && list.length === 1 && list[0] === '') {
        end = i
        break
      }
      before += c
    } else if ((c === ' ' || c === '\t') && level === 0 && before !== '') seenSpace = true
    else if (level >= 1) add(c)
    else if (level === 0 && c === '\n') {
      end = i
      break
    }
    lastSeen = c
    i++
  }
  if (list.length === 1 && list[0] === '') return { before: undefined, types: undefined, rest: text }
  return { before: before === '' ? undefined : before, types: list, rest: text.slice(end + 1) }
}

/** Finds the first match at or after an offset. Offsets ascend, so that all searches together take linear time. */
type AscendingSearch = (from: number) => string | undefined

/** Searches for a quoted text of at least one character on one line. */
function createQuoteSearch(text: string, quote: string): AscendingSearch {
  let lineEnd = -1
  return createAscendingSearch((from) => {
    for (let start = text.indexOf(quote, from); start !== -1; start = text.indexOf(quote, start + 1)) {
      if (lineEnd < start) {
        const next = text.indexOf('\n', start)
        lineEnd = next === -1 ? text.length : next
      }
      const end = text.indexOf(quote, start + 2)
      if (end === -1) return undefined
      if (end < lineEnd && start + 1 < lineEnd) return { start, text: text.slice(start, end + 1) }
    }
    return undefined
  })
}

function createMethodSearch(text: string): AscendingSearch {
  return createAscendingSearch((from) => {
    methodName.lastIndex = from
    const match = methodName.exec(text)
    return match === null ? undefined : { start: match.index, text: match[0] }
  })
}

function createAscendingSearch(
  search: (from: number) => { readonly start: number; readonly text: string } | undefined,
): AscendingSearch {
  let known: ReturnType<typeof search>
  let searchedFrom = -1
  return (from) => {
    const isStale = searchedFrom === -1 || (known !== undefined && known.start < from)
    if (isStale) {
      known = search(from)
      searchedFrom = from
    }
    return known?.text
  }
}
