// Random conditions, as AST.
import { asked, totalOrders } from './fields.js'

const operators = ['=', '=', '=', '=', '~', '~', '>', '<', '>=', '<=', '~>']
const callable = ['count', 'sum', 'avg', 'min', 'max', 'jsonb_typeof', 'to_string', 'upper']
const formats = ['YYYY-MM-DD', 'HH24:MI', '999', 'FM000', 'Day', '']
const states = ['active', 'inactive', 'any', 'ACTIVE', 'none']

/** The name of an entity in a subquery. */
export const underscored = (entity) => entity.replaceAll('-', '_')

export class Conditions {
  /**
   * @param {import('./chance.js').Chance} chance
   * @param {import('./fields.js').Fields} fields
   */
  constructor(chance, fields) {
    this.chance = chance
    this.fields = fields
  }

  /** A condition on rows of an entity. */
  condition(entity, depth = 3) {
    const { chance } = this
    const roll = chance.below(100)
    if (depth > 0 && roll < 22) return this.#joined(entity, depth)
    if (depth > 0 && roll < 29)
      return ['not', ...chance.list(chance.percent(5) ? 2 : 1, () => this.condition(entity, depth - 1))]
    if (depth > 0 && roll < 39) return this.#membership(entity, depth)
    if (depth > 0 && roll < 44) return ['subquery', this.#entity(), this.condition(this.#lastEntity, depth - 1)]
    if (roll < 51) return this.#among(entity)
    if (roll < 58) return this.#isNull(entity)
    if (roll < 64) return this.#special(entity)
    if (roll < 67) return this.#called(entity)
    return this.#comparison(entity)
  }

  #lastEntity = 'nodes'

  /** Another entity, by its name in a query. */
  #entity() {
    this.#lastEntity = this.chance.pick(asked)
    return this.chance.percent(4) ? this.#lastEntity : underscored(this.#lastEntity)
  }

  #joined(entity, depth) {
    const { chance } = this
    const operator = chance.pick(['and', 'or', 'and', 'or', 'AND', 'Or'])
    if (chance.percent(3)) return [operator]
    const clauses = chance.list(3, () => this.condition(entity, depth - 1))
    return [operator, ...clauses, ...(chance.percent(2) ? [[]] : [])]
  }

  #comparison(entity) {
    const { chance, fields } = this
    const field = fields.field(entity)
    const operator = this.#operatorFor(fields.kind(entity, field))
    const node = [operator, field, fields.operand(entity, field, operator)]
    if (chance.percent(1)) return node.slice(0, 2)
    if (chance.percent(1)) return [...node, 'more']
    return node
  }

  #operatorFor(kind) {
    const { chance } = this
    if (chance.percent(20)) return chance.pick([...operators, '!=', 'like', 'contains'])
    if (kind === 'string' || kind === 'list') return chance.pick(['=', '=', '~'])
    if (kind === 'boolean') return '='
    if (kind === 'path') return chance.pick(['=', '~>', '~>'])
    return chance.pick(
      kind === 'json' || kind === 'value' ? ['=', '=', '~', '>', '<=', '>=', '<'] : ['=', '>', '<', '>=', '<='],
    )
  }

  #isNull(entity) {
    const { chance } = this
    return ['null?', this.fields.field(entity), chance.percent(5) ? chance.pick(['true', 1, null]) : chance.percent(50)]
  }

  #among(entity) {
    const { chance, fields } = this
    const field = fields.field(entity)
    const values = chance.list(4, () => fields.operand(entity, field, '='))
    return [
      'in',
      chance.percent(3) ? [field] : field,
      ['array', chance.percent(3) ? 'a' : chance.percent(3) ? [] : values],
    ]
  }

  #special(entity) {
    const { chance } = this
    const value = () => this.fields.operand('facts', 'value', '=')
    return chance.pick([
      () => ['=', 'node_state', chance.pick(states)],
      () => ['=', ['node', 'active'], chance.percent(50)],
      () => ['=', 'latest_report?', chance.percent(50)],
      () => [
        chance.pick(['=', '~']),
        ['parameter', chance.pick(['ensure', 'uid', 'nothing'])],
        chance.pick(['present', 'running', 1007, true]),
      ],
      () => [chance.pick(operators), ['fact', chance.pick(['kernel', 'processorcount', 'is_virtual'])], value()],
      () => ['in', ['fact', 'kernel'], ['array', chance.list(3, value)]],
      () => ['=', 'tag', chance.pick(['apache', 'Apache', 'class', 'ünï'])],
      () => ['=', 'type', 'any'],
      () => [chance.pick(operators), [this.fields.field(entity), 'x'], value()],
    ])()
  }

  #called(entity) {
    const { chance } = this
    return [chance.pick(operators), this.call(entity), chance.pick([1, 0, 'string', 'number', 'a', '2026-11-20'])]
  }

  /** A call of a function. */
  call(entity) {
    const { chance, fields } = this
    const name = chance.pick(callable)
    if (name === 'count' && chance.percent(50)) return ['function', 'count']
    if (chance.percent(3)) return ['function', name]
    const field = name === 'jsonb_typeof' && chance.percent(60) ? 'value' : fields.field(entity)
    if (name === 'to_string') return ['function', name, field, chance.pick(formats)]
    return ['function', name, field]
  }

  #membership(entity, depth) {
    const { chance } = this
    const other = chance.pick(asked)
    const shared =
      ['facts', 'resources'].includes(entity) && other === entity && chance.percent(50)
        ? totalOrders[entity]
        : undefined
    const common = chance.percent(85)
      ? this.#commonField(entity, other)
      : [this.fields.field(entity), this.fields.field(other)]
    const [outer, inner] = shared ? [shared, shared] : common
    const list = (one) => (typeof one === 'string' && chance.percent(40) ? [one] : one)
    const condition = chance.percent(80) ? [this.condition(other, depth - 1)] : []
    if (chance.percent(50)) {
      const prefix = chance.percent(97) ? 'select_' : 'select-'
      return ['in', list(outer), ['extract', list(inner), [`${prefix}${underscored(other)}`, ...condition]]]
    }
    return [
      'in',
      list(outer),
      ['from', underscored(other), ['extract', list(inner), ...condition], ...this.#paging(other)],
    ]
  }

  #commonField(entity, other) {
    const named = (one) =>
      one === 'environments' || one === 'producers' || one === 'fact-names' || one === 'fact-paths'
        ? 'name'
        : 'certname'
    const packages = (one) => (one === 'packages' ? 'package_name' : named(one))
    return [packages(entity), packages(other)]
  }

  /** Paging in a subquery, where the order is of all rows. */
  #paging(other) {
    const { chance } = this
    const order = totalOrders[other]
    if (!order || chance.percent(80)) return []
    return [
      ['order_by', order],
      ['limit', 1 + chance.below(5)],
      ...(chance.percent(50) ? [['offset', chance.below(3)]] : []),
    ]
  }
}
