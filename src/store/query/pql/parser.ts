import { budgets } from '../../../base/budgets/budgets.ts'
import { defineIssues, throwIssue } from '../../../base/issue.ts'
import type { ExactJson } from '../../../base/json/exact-json.ts'
import { readField, readFields, readListedField, readListRest } from './fields.ts'
import { nestOperands } from './operand-chains.ts'
import { PqlScanner } from './scanner.ts'
import { formatSyntaxError } from './syntax-error.ts'
import { entityNames } from './tokens.ts'
import { readInteger, readPqlNumber, readString } from './values.ts'

const issues = defineIssues({
  PQL_SYNTAX: { text: (a: { message: string }) => a.message },
  PQL_VALUE: { text: (a: { message: string }) => a.message },
  PQL_LENGTH: { text: (a: { most: number }) => `the query exceeds ${a.most} characters` },
  PQL_DEPTH: { text: (a: { most: number }) => `the query is nested more than ${a.most} levels deep` },
})

const { pqlText, pqlDepth } = budgets.query

type Ast = readonly ExactJson[]

/** Parses PQL to PuppetDB's AST. Throws PQL_SYNTAX with the position, and PQL_VALUE with PuppetDB's message. */
export function parsePql(text: string): Ast {
  if (text.length > pqlText.bound) throwIssue(issues.PQL_LENGTH, { most: pqlText.bound })
  const parser = new Parser(text)
  const query = parser.query()
  const { complaint } = parser.scanner
  if (query === undefined) return throwIssue(issues.PQL_SYNTAX, { message: formatSyntaxError(parser.scanner) })
  if (complaint !== undefined) throwIssue(issues.PQL_VALUE, { message: complaint })
  return query
}

const comparisons = ['>=', '<=', '!=', '!~', '~>', '=', '~', '<', '>']
const directions = ['asc', 'desc']

class Parser {
  readonly scanner: PqlScanner
  #depth = 0

  constructor(text: string) {
    this.scanner = new PqlScanner(text)
  }

  /** Reads a complete query. */
  query(): Ast | undefined {
    this.scanner.space()
    const from = this.#from()
    return from !== undefined && this.scanner.takesEnd() ? from : undefined
  }

  /** Reads `entity [fields] { … }`. If there are fields, the filter becomes part of the extract. */
  #from(): Ast | undefined {
    const name = this.scanner.takesOne(entityNames)
    if (name === undefined) return undefined
    const extract = this.scanner.attempt(() => this.#extract())
    const where = this.#where()
    if (where === undefined) return undefined
    if (extract === undefined) return ['from', name, ...where]
    const paging = where.filter(isPagingClause)
    return ['from', name, [...extract, ...where.filter((clause) => !isPagingClause(clause))], ...paging]
  }

  #extract(): Ast | undefined {
    this.scanner.space()
    if (!this.scanner.takes('[')) return undefined
    this.scanner.space()
    const fields = this.scanner.attempt(() => readFields(this.scanner)) ?? []
    this.scanner.space()
    return this.scanner.takes(']') ? ['extract', fields] : undefined
  }

  /** Reads `{ condition clauses }` and returns a list. */
  #where(): Ast[] | undefined {
    this.scanner.space()
    if (!this.scanner.takes('{')) return undefined
    this.scanner.space()
    const expression = this.scanner.attempt(() => this.#or())
    this.scanner.space()
    const clauses = this.#clauses()
    this.scanner.space()
    if (!this.scanner.takes('}')) return undefined
    return expression === undefined ? clauses : [expression, ...clauses]
  }

  /** Reads `group by` and fields, or any number of paging clauses. */
  #clauses(): Ast[] {
    const group = this.scanner.attempt(() => this.#groupBy())
    if (group !== undefined) return [group]
    const clauses: Ast[] = []
    for (;;) {
      const clause = this.#count('limit') ?? this.#count('offset') ?? this.scanner.attempt(() => this.#orderBy())
      if (clause === undefined) return clauses
      clauses.push(clause)
      this.scanner.space()
    }
  }

  #groupBy(): Ast | undefined {
    if (!this.scanner.takes('group by') || !this.scanner.takesSpace()) return undefined
    const fields = readFields(this.scanner)
    return fields && ['group_by', ...fields]
  }

  #count(name: 'limit' | 'offset'): Ast | undefined {
    return this.scanner.attempt(() => {
      if (!this.scanner.takes(name) || !this.scanner.takesSpace()) return undefined
      const count = readInteger(this.scanner)
      return count === undefined ? undefined : [name, count]
    })
  }

  #orderBy(): Ast | undefined {
    if (!this.scanner.takes('order by') || !this.scanner.takesSpace()) return undefined
    const first = this.#orderParameter()
    if (first === undefined) return undefined
    const parameters = [first]
    for (;;) {
      const next = this.scanner.attempt(() => {
        if (!this.scanner.takes(',')) return undefined
        this.scanner.space()
        return this.#orderParameter()
      })
      if (next === undefined) return ['order_by', parameters]
      parameters.push(next)
    }
  }

  /**
   * Reads a field and an optional direction. The name of the field must not begin with `asc` or
   * `desc`.
   */
  #orderParameter(): ExactJson | undefined {
    if (directions.some((each) => this.scanner.sees(each))) return void this.scanner.misses('a field')
    const field = readListedField(this.scanner)
    if (field === undefined) return undefined
    const direction = this.scanner.attempt(() => {
      return this.scanner.takesSpace() ? this.scanner.takesOne(directions) : undefined
    })
    this.scanner.space()
    return direction === undefined ? field : [field, direction]
  }

  #or(): Ast | undefined {
    return this.#chain('or', () => this.#chain('and', () => this.#not()))
  }

  /** Reads operands that are separated by the same word, `or` or `and`. */
  #chain(word: 'or' | 'and', read: () => Ast | undefined): Ast | undefined {
    const first = read()
    if (first === undefined) return undefined
    const operands = [first]
    for (;;) {
      const next = this.scanner.attempt(() => {
        const between = this.scanner.takesSpace() && this.scanner.takes(word) && this.scanner.takesSpace()
        return between ? read() : undefined
      })
      if (next === undefined) return nestOperands(word, operands)
      operands.push(next)
    }
  }

  #not(): Ast | undefined {
    if (!this.scanner.takes('!')) return this.#operand()
    this.scanner.space()
    const operand = this.#deeper(() => this.#not())
    return operand && ['not', operand]
  }

  /** Reads an expression in parentheses, a condition or an implicit subquery. */
  #operand(): Ast | undefined {
    if (this.scanner.takes('(')) return this.#deeper(() => this.#parenthesized())
    return (
      this.scanner.attempt(() => this.#condition()) ?? this.scanner.attempt(() => this.#deeper(() => this.#subquery()))
    )
  }

  #parenthesized(): Ast | undefined {
    this.scanner.space()
    const expression = this.#or()
    this.scanner.space()
    return this.scanner.takes(')') ? expression : undefined
  }

  /** Reads `entity { … }`, in which PuppetDB allows a condition or one clause. */
  #subquery(): Ast | undefined {
    const name = this.scanner.takesOne(entityNames)
    const where = name === undefined ? undefined : this.#where()
    if (where === undefined) return undefined
    if (where.length < 2) return ['subquery', name!, ...where]
    const message = `Wrong number of args (${where.length + 1}) passed to: puppetlabs.puppetdb.pql.transform/transform-subquery`
    return this.scanner.complain(message, ['subquery'])
  }

  #condition(): Ast | undefined {
    if (this.scanner.sees('[')) {
      const fields = this.#fieldList()
      this.scanner.space()
      return fields && this.#in(fields)
    }
    const field = readField(this.scanner)
    if (field === undefined) return undefined
    this.scanner.space()
    if (this.scanner.takes('is null')) return ['null?', field, true]
    if (this.scanner.takes('is not null')) return ['null?', field, false]
    return this.scanner.attempt(() => this.#comparison(field)) ?? this.#in(field)
  }

  #fieldList(): ExactJson[] | undefined {
    this.scanner.takes('[')
    this.scanner.space()
    const fields = readFields(this.scanner)
    this.scanner.space()
    return this.scanner.takes(']') ? fields : undefined
  }

  #comparison(field: string): Ast | undefined {
    const operator = this.scanner.takesOne(comparisons)
    if (operator === undefined) return undefined
    this.scanner.space()
    const value = this.#parseOperand(operator)
    if (value === undefined) return undefined
    return operator[0] === '!' ? ['not', [operator.slice(1), field, value]] : [operator, field, value]
  }

  /** Reads the operand of an operator. */
  #parseOperand(operator: string): ExactJson | undefined {
    if (operator === '~') return readString(this.scanner)
    if (operator === '~>') return this.#list(() => readString(this.scanner))
    if (operator[0] === '<' || operator[0] === '>') return readPqlNumber(this.scanner) ?? readString(this.scanner)
    return this.#literal()
  }

  #in(fields: ExactJson): Ast | undefined {
    if (!this.scanner.takes('in')) return undefined
    this.scanner.space()
    const list = this.scanner.attempt(() => this.#list(() => this.#literal()))
    if (list !== undefined) return ['in', fields, ['array', list]]
    const query = this.#deeper(() => this.#from())
    return query && ['in', fields, query]
  }

  #literal(): ExactJson | undefined {
    if (this.scanner.takes('true')) return true
    if (this.scanner.takes('false')) return false
    return (
      readString(this.scanner) ?? readPqlNumber(this.scanner) ?? this.#deeper(() => this.#list(() => this.#literal()))
    )
  }

  /** Reads `[a, b]` with at least one item. */
  #list(read: () => ExactJson | undefined): ExactJson[] | undefined {
    if (!this.scanner.takes('[')) return undefined
    this.scanner.space()
    const first = read()
    if (first === undefined) return undefined
    const items = [first, ...readListRest(this.scanner, read)]
    this.scanner.space()
    return this.scanner.takes(']') ? items : undefined
  }

  /** Reads one nesting level deeper. Throws PQL_DEPTH. */
  #deeper<T>(read: () => T): T {
    if (++this.#depth > pqlDepth.bound) throwIssue(issues.PQL_DEPTH, { most: pqlDepth.bound })
    const found = read()
    this.#depth--
    return found
  }
}

function isPagingClause([name]: Ast): boolean {
  return name === 'limit' || name === 'offset' || name === 'order_by'
}
