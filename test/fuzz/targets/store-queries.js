import fc from 'fast-check'
import { sql } from 'kysely'
import { PuppetError } from '../../../dist/base/issue.js'
import { postgresql, sqlite } from '../../../dist/store/database/dialect.js'
import { getEntities } from '../../../dist/store/query/entities.js'
import { parseField } from '../../../dist/store/query/field-path.js'
import {
  parseGetParameters,
  parseQueryParameters,
  rootNames,
  typicalNames,
} from '../../../dist/store/query/parameters.js'
import { compileTester } from '../../../dist/store/query/pattern-matching.js'
import { toRe2Pattern } from '../../../dist/store/query/postgres-pattern.js'
import { restrictToActiveNodes } from '../../../dist/store/query/query-restriction.js'
import { buildTimeFormatSql } from '../../../dist/store/query/time-format.js'
import { validateFields } from '../../../dist/store/query/validation.js'
import { allowing, must, textOf } from '../target.js'

const dialects = [sqlite, postgresql]
const names = { n: 'nodes', f: 'facts', r: 'resources', e: 'events', i: 'inventory', c: 'fact_contents', p: undefined }

/**
 * A question to the store: a letter for its entity, then its query in AST, or in PQL too. Refused in words; what it names is
 * checked, its patterns and its formats are ones of the databases. @type {import('../target.js').Target}
 */
export default {
  name: 'store-queries',
  nsPerByte: 4000,
  seeds: [
    'n["and",["=","certname","a"],["~","certname","[[:digit:]]\\\\y(?i)"],["not",["null?","expired",true]]]',
    'n["in","certname",["extract","certname",["select_resources",["=",["parameter","ensure"],"present"]]]]',
    'n["=",["fact","kernel"],"Linux"]',
    'f["extract",[["function","avg","value"],["function","to_string","value","999"]],["group_by","name"]]',
    'f["in",["name","value"],["array",[["a",1]]]]',
    'r["=","tag","a"]',
    'i["extract",["facts.os.\\"a.b\\"","certname"],[">","facts.disks[0].match(\\"sd.\\").size",1.5]]',
    'e["extract",["status",["function","to_string","timestamp","FMDDth Month \\"x\\""]],["=","latest_report?",true]]',
    'e["subquery","reports",["=","status","failed"]]',
    'c["~>","path",["os",".*",1]]',
    'pnodes[certname] { facts { name ~ "^(?!a)b" and value > 2 } order by certname limit 3 offset 2 }',
    'presources { type in ["File"] and parameters.ensure = "x" } ',
    'p["from","reports",["extract",[["function","count"],"status"],["group_by","status"]],["limit",2],["order_by",["status"]]]',
  ],
  dictionary: [
    ...['"and",', '"or",', '"not",', '"=",', '"~",', '"~>",', '">",', '"in",', '"null?",', '"extract",', '"group_by",'],
    ...['"function",', '"count"', '"array",', '"subquery",', '"from",', '"select_facts",', '"facts"', '"certname"'],
    ...[
      '"path"',
      '"value"',
      '"tag"',
      'facts.',
      '.match("',
      '[0]',
      '***=',
      '[[:alpha:]]',
      '\\\\m',
      '(?!',
      '(?i)',
      'null',
    ],
    ...['1.5', '1e400', '{', '}', '[', ']', ',', '"', 'group by ', 'order by ', 'limit ', 'true'],
  ],
  grammar: fc
    .tuple(fc.constantFrom(...Object.keys(names)), fc.constantFrom('=', '~', '>', 'in', 'extract', 'and'), fc.json())
    .map(([kind, operator, json]) => `${kind}["${operator}","certname",${json}]`),
  run(bytes) {
    const text = textOf(bytes)
    allowing([PuppetError], () => {
      const given = parseGetParameters(String(new URLSearchParams({ query: text.slice(1), order_by: '[]' })))
      const { query } =
        text[0] === 'p'
          ? placed(() => parseQueryParameters(given, rootNames))
          : parseQueryParameters(given, typicalNames)
      for (const dialect of dialects) checked(dialect, names[text[0]] ?? 'nodes', query)
    })
  },
}

/** Reads a query, and checks that a syntax error of PQL contains its position. */
function placed(read) {
  try {
    return read()
  } catch (error) {
    const isSyntax = error instanceof PuppetError && error.diagnostic.code === 'PQL_SYNTAX'
    const place = /^PQL parse error at line [\d,]+, column [\d,]+:\n[\s\S]*\nExpected(?: one of)?:\n/
    must(!isSyntax || place.test(error.diagnostic.message), 'a syntax error without a position')
    throw error
  }
}

function checked(dialect, name, query) {
  const entities = getEntities(dialect)
  const whole = restrictToActiveNodes(query)
  validateFields(entities, entities[name], whole)
  for (const word of wordsOf(whole)) {
    dialect.compile(buildTimeFormatSql(sql.ref('time'), word))
    must(toRe2Pattern(word).startsWith('(?s'), 'a pattern without its flags')
    allowing([PuppetError], () => compileTester(word)('a text of some length'))
    allowing([PuppetError], () => parseField(word))
  }
}

/** All texts in a query. */
function wordsOf(ast) {
  if (typeof ast === 'string') return [ast]
  return Array.isArray(ast) ? ast.flatMap(wordsOf) : []
}
