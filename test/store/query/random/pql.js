// AST as PQL, as far as PQL has the form.

/** The text of a query `["from", ENTITY, …]`; undefined if PQL has no words for it. */
export function pqlText(ast) {
  try {
    return from(ast)
  } catch (error) {
    if (error instanceof Unwritable) return undefined
    throw error
  }
}

class Unwritable extends Error {}

function give() {
  throw new Unwritable()
}

function from([, entity, query, ...clauses]) {
  const isClause = Array.isArray(query) && ['limit', 'offset', 'order_by'].includes(query[0])
  if (isClause) return `${entity} { ${[query, ...clauses].map(clause).join(' ')} }`
  const isExtract = Array.isArray(query) && query[0] === 'extract'
  const [, columns, condition, ...groups] = isExtract ? query : [undefined, undefined, query]
  const shown = isExtract ? `[${asList(columns).map(column).join(', ')}] ` : ''
  const isGroup = Array.isArray(condition) && condition[0] === 'group_by'
  const inside = [
    ...(condition === undefined || isGroup ? [] : [expression(condition)]),
    ...(isGroup ? [condition] : []).concat(groups, clauses).map(clause),
  ]
  return `${entity} ${shown}{ ${inside.join(' ')} }`
}

const asList = (one) => (Array.isArray(one) && one[0] !== 'function' ? one : [one])

function column(one) {
  if (!Array.isArray(one)) return one
  const [, name, ...given] = one
  return `${name}(${given.map((each, at) => (at === 0 ? each : JSON.stringify(each))).join(', ')})`
}

function clause([name, ...given]) {
  if (name === 'group_by') return `group by ${given.map(column).join(', ')}`
  if (name !== 'order_by') return `${name} ${given[0]}`
  return `order by ${asList(given[0])
    .map((each) => (Array.isArray(each) ? each.join(' ') : each))
    .join(', ')}`
}

function expression(ast) {
  if (!Array.isArray(ast) || ast.length < 2) return give()
  const [operator, first, second] = ast
  switch (operator) {
    case 'and':
    case 'or':
      return `(${ast.slice(1).map(expression).join(` ${operator} `)})`
    case 'not':
      return ast.length === 2 ? `! ${expression(first)}` : give()
    case 'null?':
      return `${field(first)} is ${second === true ? '' : 'not '}null`
    case 'subquery':
      return `${first} { ${expression(second)} }`
    case 'in':
      return `${Array.isArray(first) ? `[${first.map(field).join(', ')}]` : field(first)} in ${members(second)}`
  }
  return ast.length === 3 ? `${field(first)} ${operator} ${literal(second)}` : give()
}

function members(ast) {
  if (!Array.isArray(ast)) return give()
  if (ast[0] === 'array') return literal(ast[1])
  return ast[0] === 'from' ? from(ast) : give()
}

const field = (one) => (typeof one === 'string' ? one : give())

function literal(value) {
  if (value === null || (typeof value === 'object' && !Array.isArray(value))) return give()
  return Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : JSON.stringify(value)
}
