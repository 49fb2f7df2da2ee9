import { type Ending, endings } from './patterns.ts'

/** A part of the grammar: what may stand somewhere in a text. Equal parts are one and the same object. */
export type Part =
  | { readonly kind: 'words'; readonly text: string }
  | { readonly kind: 'pattern'; readonly ending: Ending; readonly shown: string }
  | { readonly kind: 'rule'; readonly name: string }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Part[] }
  | { readonly kind: 'maybe' | 'many' | 'some'; readonly part: Part }
  | { readonly kind: 'not'; readonly part: Part; readonly shown: string }

const interned = new Map<string, Part>()
const keys = new Map<Part, string>()

/** The one object for equal parts. */
function part(key: string, made: Part): Part {
  const known = interned.get(key) ?? made
  interned.set(key, known)
  keys.set(known, key)
  return known
}

const keyOf = (parts: readonly Part[]): string => parts.map((each) => keys.get(each)).join(' ')
const words = (text: string): Part => part(`'${text}`, { kind: 'words', text })
const rule = (name: string): Part => part(name, { kind: 'rule', name })
const all = (...parts: readonly Part[]): Part => part(`(${keyOf(parts)})`, { kind: 'all', parts })
const any = (...parts: readonly Part[]): Part => part(`{${keyOf(parts)}}`, { kind: 'any', parts })
const maybe = (each: Part): Part => part(`?${keyOf([each])}`, { kind: 'maybe', part: each })
const many = (each: Part): Part => part(`*${keyOf([each])}`, { kind: 'many', part: each })
const some = (each: Part): Part => part(`+${keyOf([each])}`, { kind: 'some', part: each })
const not = (each: Part, shown: string): Part => part(`!${keyOf([each])}`, { kind: 'not', part: each, shown })

/** A form, and how PuppetDB shows it. */
const pattern = (shown: string, ending: Ending): Part =>
  part(`/${shown}`, { kind: 'pattern', ending, shown: `#"${shown}"` })

/** A part of which nothing comes into the tree. PuppetDB's parser holds it for another one than the same part that does. */
const hidden = (each: Part): Part => part(`<${keyOf([each])}>`, { ...each })

const space = hidden(rule('space'))
const spaces = maybe(space)
const comma = [spaces, hidden(words(',')), spaces]
const open = hidden(rule('open'))
const close = hidden(rule('close'))
const parts = { open: hidden(rule('openParenthesis')), close: hidden(rule('closeParenthesis')) }

/** Items with commas between them. */
const listOf = (item: Part): Part => all(item, many(all(...comma, item)))
const inBrackets = (list: string): Part => all(open, spaces, rule(list), spaces, close)
const comparison = (operator: string, value: string): Part =>
  all(rule('field'), spaces, rule(operator), spaces, rule(value))
const chain = (operand: string, word: string, next: string): Part =>
  all(rule(operand), many(all(space, rule(word), space, rule(next))))

const fieldOrFunction = any(rule('field'), rule('function'))
const sign = rule('negative')

/**
 * The grammar of PQL by its rules, with the alternatives in the order in which PuppetDB tries them: that is the order in
 * which it tells what it expected. The parser of valid queries does not need it.
 */
const bodies = {
  query: all(spaces, rule('from'), spaces),
  from: all(rule('entity'), maybe(all(spaces, rule('extract'))), spaces, rule('where')),
  extract: all(open, spaces, maybe(rule('extractFields')), spaces, close),
  extractFields: rule('fieldList'),
  where: all(
    hidden(rule('openBrace')),
    spaces,
    maybe(rule('expression')),
    spaces,
    maybe(any(rule('groupByClause'), many(all(rule('pagingClause'), spaces)))),
    many(space),
    hidden(rule('closeBrace')),
  ),
  entity: any(
    ...['facts', 'reports', 'catalogs', 'packages', 'package_inventory', 'resources', 'nodes'].map(words),
    ...['environments', 'factsets', 'fact_paths', 'fact_contents', 'inventory', 'edges', 'events'].map(words),
  ),
  expression: rule('or'),
  or: chain('and', 'wordOr', 'or'),
  and: chain('not', 'wordAnd', 'and'),
  not: any(all(rule('bang'), spaces, rule('not')), rule('rest')),
  rest: any(
    all(parts.open, spaces, rule('expression'), spaces, parts.close),
    rule('condition'),
    rule('nullCondition'),
    rule('subquery'),
  ),
  subquery: all(rule('entity'), spaces, rule('where')),
  condition: any(
    ...['regexpCondition', 'pathCondition', 'orderCondition', 'equalCondition'].map(rule),
    ...['unequalCondition', 'noRegexpCondition', 'inCondition'].map(rule),
  ),
  regexpCondition: comparison('regexp', 'regexpValue'),
  pathCondition: comparison('path', 'pathValue'),
  orderCondition: comparison('order', 'orderValue'),
  equalCondition: comparison('equal', 'literal'),
  unequalCondition: comparison('unequal', 'literal'),
  noRegexpCondition: comparison('noRegexp', 'literal'),
  inCondition: all(any(rule('field'), rule('groupedFields')), spaces, rule('in'), spaces, rule('inValue')),
  nullCondition: all(rule('field'), spaces, any(rule('isNull'), rule('isNotNull'))),
  isNull: hidden(words('is null')),
  isNotNull: hidden(words('is not null')),
  groupedFields: inBrackets('fieldList'),
  fieldList: all(fieldOrFunction, many(all(...comma, fieldOrFunction))),
  function: all(rule('functionName'), spaces, rule('arguments')),
  functionName: any(...['count', 'avg', 'sum', 'min', 'max', 'to_string'].map(words)),
  arguments: all(parts.open, spaces, maybe(rule('argumentList')), spaces, parts.close),
  argumentList: all(any(rule('field'), rule('string')), maybe(all(...comma, rule('strings')))),
  strings: listOf(rule('string')),
  field: any(pattern('[a-zA-Z0-9_]+\\??', endings.field), all(rule('dottedField'), rule('fieldPath'))),
  fieldPath: some(all(hidden(words('.')), any(rule('quotedSegment'), rule('standardSegment'), rule('matchSegment')))),
  quotedSegment: pattern('\\".*?\\"(?=\\.|\\s)', endings.quotedSegment),
  matchSegment: pattern('match\\(.*?\\)', endings.matchSegment),
  standardSegment: pattern('[^\\s\\.\\",\\[\\]!<=>~]+(\\[\\d+\\])?', endings.standardSegment),
  dottedField: any(words('facts'), words('trusted'), words('parameters')),
  regexp: words('~'),
  path: words('~>'),
  order: any(words('>='), words('<='), words('<'), words('>')),
  equal: words('='),
  unequal: words('!='),
  noRegexp: words('!~'),
  in: words('in'),
  regexpValue: rule('string'),
  pathValue: rule('groupedStrings'),
  orderValue: any(rule('integer'), rule('real'), rule('string')),
  inValue: any(rule('query'), rule('groupedLiterals')),
  groupedStrings: inBrackets('strings'),
  groupedLiterals: inBrackets('literals'),
  literals: listOf(rule('literal')),
  wordAnd: hidden(words('and')),
  wordOr: hidden(words('or')),
  bang: hidden(words('!')),
  string: any(rule('doubleQuoted'), rule('singleQuoted')),
  doubleQuoted: all(hidden(rule('doubleQuote')), rule('inDoubleQuotes'), hidden(rule('doubleQuote'))),
  inDoubleQuotes: pattern('(?:[^"\\\\]|\\\\.)*', endings.inDoubleQuotes),
  doubleQuote: words('"'),
  singleQuoted: all(hidden(rule('singleQuote')), rule('inSingleQuotes'), hidden(rule('singleQuote'))),
  inSingleQuotes: pattern("(?:[^\\'\\\\]|\\\\.)*", endings.inSingleQuotes),
  singleQuote: words("'"),
  groupByClause: rule('groupBy'),
  groupBy: all(hidden(words('group by')), space, rule('fieldList')),
  pagingClause: any(rule('limit'), rule('offset'), rule('orderBy')),
  limit: all(hidden(words('limit')), space, rule('integer')),
  offset: all(hidden(words('offset')), space, rule('integer')),
  orderBy: all(hidden(words('order by')), space, rule('orderParameter'), maybe(rule('orderParameters'))),
  orderParameters: some(all(hidden(words(',')), spaces, rule('orderParameter'))),
  orderParameter: all(
    not(any(words('asc'), words('desc')), 'NOT "asc" | "desc"'),
    rule('field'),
    maybe(all(space, rule('direction'))),
    spaces,
  ),
  direction: any(words('asc'), words('desc')),
  openParenthesis: words('('),
  closeParenthesis: words(')'),
  openBrace: words('{'),
  closeBrace: words('}'),
  open: words('['),
  close: words(']'),
  boolean: any(rule('true'), rule('false')),
  true: hidden(words('true')),
  false: hidden(words('false')),
  array: all(rule('open'), spaces, rule('literals'), spaces, rule('close')),
  literal: any(rule('string'), rule('integer'), rule('real'), rule('boolean'), rule('array')),
  integer: all(maybe(sign), rule('digits')),
  real: all(maybe(sign), rule('digits'), words('.'), rule('digits'), maybe(rule('exponent'))),
  exponent: all(hidden(any(words('E'), words('e'))), maybe(any(sign, rule('positive'))), rule('digits')),
  digits: pattern('[0-9]+', endings.digits),
  negative: words('-'),
  positive: words('+'),
  space: pattern('\\s+', endings.space),
}

/** The rules by their names. Each is a part of its own, even where it says no more than another one. */
export const rules: ReadonlyMap<string, Part> = new Map(
  Object.entries(bodies).map(([name, body]) => [name, part(`${name}=${keyOf([body])}`, { ...body })]),
)
