// Random questions to PuppetDB; the same ones for the same seed.
import { get, post } from '../corpus/request.js'
import { Chance } from './chance.js'
import { Conditions, underscored } from './conditions.js'
import { asked, Fields, totalOrders } from './fields.js'
import { pqlText } from './pql.js'

/** @returns {import('../corpus/request.js').Question[]} */
export function randomQuestions(seed, count) {
  const writer = new Writer(new Chance(seed))
  return Array.from({ length: count }, () => writer.question())
}

const columnsBy = {
  nodes: ['certname', 'latest_report_status', 'catalog_environment', 'report_timestamp', 'deactivated'],
  facts: ['certname', 'name', 'value', 'environment'],
  inventory: ['certname', 'facts.os.family', 'facts.kernel', 'trusted.certname', 'facts', 'trusted', 'facts.mixed[5]'],
  resources: ['certname', 'type', 'title', 'parameters', 'parameters.ensure', 'line', 'tags', 'exported'],
  reports: ['certname', 'status', 'noop', 'start_time', 'metrics', 'logs', 'report_format'],
}

class Writer {
  constructor(chance) {
    this.chance = chance
    this.fields = new Fields(chance)
    this.conditions = new Conditions(chance, this.fields)
  }

  question() {
    const { chance } = this
    const entity = chance.pick(asked)
    const roll = chance.below(100)
    if (roll < 45) return this.#byEntity(entity)
    if (roll < 75) return this.#byRoot(entity, 'pql')
    if (roll < 95) return this.#byRoot(entity, 'ast')
    return this.#byRoute(entity)
  }

  /** A query without paging: a condition, an `extract`, or nothing. */
  #query(entity) {
    const { chance } = this
    const roll = chance.below(100)
    if (roll < 5) return undefined
    const condition = this.conditions.condition(entity)
    if (roll < 55) return condition
    return this.#extract(entity, chance.percent(85) ? [condition] : [])
  }

  #extract(entity, condition) {
    const { chance } = this
    const columns = chance.list(3, () => this.#column(entity))
    const isCalled = chance.percent(30)
    const calls = isCalled ? chance.list(chance.percent(20) ? 2 : 1, () => this.conditions.call(entity)) : []
    const plain = isCalled && chance.percent(40) ? [] : columns
    const all = [...calls, ...plain]
    const groups =
      chance.percent(isCalled ? 75 : 10) && plain.length > 0
        ? [['group_by', ...(chance.percent(90) ? plain : [this.#column(entity), ...plain])]]
        : []
    const one = all.length === 1 && typeof all[0] === 'string' && chance.percent(50) ? all[0] : all
    return ['extract', one, ...condition, ...groups]
  }

  #column(entity) {
    const { chance } = this
    const known = columnsBy[entity]
    return known && chance.percent(60) ? chance.pick(known) : this.fields.field(entity)
  }

  /** The query, and paging as parameters. */
  #byEntity(entity) {
    const { chance } = this
    const query = this.#query(entity)
    const { parameters, order } = this.#parameters(entity, query)
    const all = { ...(query !== undefined && { query }), ...parameters }
    return chance.percent(15) ? post(`/${entity}`, all, order) : get(`/${entity}`, all, order)
  }

  #parameters(entity, query) {
    const { chance } = this
    if (chance.percent(65)) return { parameters: {} }
    const total = totalOrders[entity]
    const isPlain = !Array.isArray(query) || query[0] !== 'extract'
    const isTotal = isPlain && total !== undefined && chance.percent(60)
    const way = () =>
      chance.pick([{}, {}, { order: 'asc' }, { order: 'desc' }, ...(chance.percent(10) ? [{ order: 'up' }] : [])])
    const fields = [...(chance.percent(50) ? [this.fields.field(entity)] : []), ...(isTotal ? total : [])]
    const parameters = {
      ...((fields.length > 0 || chance.percent(5)) && { order_by: fields.map((field) => ({ field, ...way() })) }),
      ...(chance.percent(60) && {
        limit: chance.percent(95) ? 1 + chance.below(20) : chance.pick([0, -1, 'x', '1.5']),
      }),
      ...(chance.percent(30) && { offset: chance.percent(95) ? chance.below(20) : chance.pick([-1, 'x']) }),
      ...(chance.percent(30) && { include_total: chance.pick(['true', 'false']) }),
    }
    const order = isTotal
      ? 'rows'
      : parameters.limit !== undefined || parameters.offset !== undefined
        ? 'count'
        : undefined
    return { parameters, order }
  }

  #byRoot(entity, language) {
    const { chance } = this
    const query = this.#query(entity)
    const { clauses, order } = this.#clauses(entity, query)
    const name = chance.percent(2) ? entity : underscored(entity)
    const ast = ['from', name, ...(query === undefined ? [] : [query]), ...clauses]
    const text = language === 'pql' ? pqlText(ast) : undefined
    return get('', { query: text ?? ast }, order)
  }

  #clauses(entity, query) {
    const { chance } = this
    if (chance.percent(60)) return { clauses: [] }
    const total = totalOrders[entity]
    const isPlain = !Array.isArray(query) || query[0] !== 'extract'
    const isTotal = isPlain && total !== undefined && chance.percent(60)
    const fields = [...(chance.percent(50) ? [this.fields.field(entity)] : []), ...(isTotal ? total : [])]
    const directed = (field) => (chance.percent(30) ? [field, chance.pick(['asc', 'desc'])] : field)
    const isLimited = chance.percent(60)
    const clauses = [
      ...(fields.length > 0 ? [['order_by', fields.map(directed)]] : []),
      ...(isLimited ? [['limit', chance.percent(97) ? 1 + chance.below(20) : chance.pick([0, -1])]] : []),
      ...(chance.percent(30) ? [['offset', chance.below(10)]] : []),
    ]
    const isPaged = clauses.some(([clause]) => clause !== 'order_by')
    return { clauses, order: isTotal ? 'rows' : isPaged ? 'count' : undefined }
  }

  /** A path below an entity. */
  #byRoute(entity) {
    const { chance } = this
    const node = chance.pick(['web01.example.com', 'db01.example.com', 'nobody'])
    const [path, below] = chance.pick([
      [`/nodes/${node}/facts`, 'facts'],
      [`/nodes/${node}/facts/kernel`, 'facts'],
      [`/nodes/${node}/resources`, 'resources'],
      [`/nodes/${node}/resources/Class`, 'resources'],
      ['/facts/kernel', 'facts'],
      ['/facts/kernel/Linux', 'facts'],
      ['/resources/File', 'resources'],
      ['/resources/File/%2Fetc%2Fmotd', 'resources'],
      ['/environments/production/facts', 'facts'],
      ['/environments/production/events', 'events'],
      ['/environments/production/reports', 'reports'],
      ['/environments/production/resources', 'resources'],
      [`/catalogs/${node}/edges`, 'edges'],
      [`/catalogs/${node}/resources`, 'resources'],
      [`/factsets/${node}/facts`, 'facts'],
      ['/producers/puppet1.example.com/reports', 'reports'],
      [`/${entity}`, entity],
    ])
    const query = this.#query(below)
    return get(path, query === undefined ? {} : { query })
  }
}
