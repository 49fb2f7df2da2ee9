// Fields and operands for random queries.
import { entities } from '../corpus/entities.js'

/** Fields that order all rows of an entity. */
export const totalOrders = {
  nodes: ['certname'],
  environments: ['name'],
  producers: ['name'],
  factsets: ['certname'],
  facts: ['certname', 'name'],
  'fact-paths': ['path', 'type'],
  'fact-contents': ['certname', 'path'],
  inventory: ['certname'],
  catalogs: ['certname'],
  edges: ['certname', 'relationship', 'source_type', 'source_title', 'target_type', 'target_title'],
  resources: ['certname', 'type', 'title'],
  reports: ['certname', 'start_time'],
  packages: ['package_name', 'version', 'provider'],
  'package-inventory': ['certname', 'package_name', 'version', 'provider'],
  'catalog-inputs': ['certname'],
  'catalog-input-contents': ['certname', 'type', 'name'],
}

/** Entities with events and names of facts, whose rows no field orders. */
export const asked = [...Object.keys(totalOrders), 'events', 'fact-names']

/** Fields that conditions cannot name, or that no entity has. */
const odd = {
  catalogs: ['edges', 'resources', 'catalog_resources'],
  reports: ['metrics', 'logs', 'resource_events', 'report_id', 'id'],
  events: ['report_id', 'containment_path.x', 'latest_report_id'],
  factsets: ['facts', 'facts.os', 'package_inventory'],
  nodes: ['facts.os', 'expires_facts', 'environment'],
  inventory: ['facts', 'trusted', 'factsets'],
  resources: ['parameters', 'tag.x', 'resource.x'],
  facts: ['type', 'path', 'value.x'],
  'fact-paths': ['depth.x', 'value'],
}
const unknown = ['nothing', 'CERTNAME', 'certname.x', 'value', 'name', 'node_state', 'latest_report?', 'tag', 'id', '']

const paths = {
  inventory: [
    'facts.os.family',
    'facts.os',
    'facts.os.release.major',
    'facts.processorcount',
    'facts.is_virtual',
    'facts.mixed',
    'facts.mixed[5]',
    'facts.mixed[5][1]',
    'facts.mixed.5.1',
    'facts."os".family',
    'facts.match("os|kernel")',
    'facts.os.match("fam.*")',
    'facts.match("mem.*").match(".*")',
    'facts.nothing.at.all',
    'facts."a.b"',
    'facts.""',
    'facts.match("(")',
    'trusted.extensions.pp_role',
    'trusted.certname',
    'trusted.match("cert.*")',
    'trusted',
  ],
  resources: [
    'parameters.ensure',
    'parameters.uid',
    'parameters.settings.fsync',
    'parameters.members[0]',
    'parameters.match("en.*")',
    'parameters.nothing',
    'parameters."ensure"',
    'parameters.groups[1]',
  ],
}

/** Operands of all kinds. */
const operands = {
  string: ['a', '', 'Linux', 'production', '1', 'true', 'web01.example.com', "it's", 'ünï', 'x'.repeat(300)],
  number: [0, 1, -1, 3, 12, 1.5, 2147483648, 9007199254740992, 1e20],
  boolean: [true, false],
  time: ['2026-11-20T12:10:00Z', '2026-11-20', '2001-02-03T04:05:06Z', 'yesterday', '2026', '2026-13-01', ''],
  pattern: [
    '^web',
    '.*',
    'example\\.(com|org)$',
    'a|b',
    '[a-c]1',
    '(',
    '[',
    '*',
    'x{2,1}',
    '(?i)WEB',
    '\\d+',
    '^$',
    '',
  ],
  path: [['os', 'family'], ['mixed', 5, 1], ['mixed', '5', 1], ['os', '.*'], ['.*', '.*'], [], ['('], 'kernel', [1]],
  list: [['a'], [], [1, 2], ['a', 1]],
  odd: [null, { a: 1 }, [null], [['a']]],
}

export class Fields {
  /** @param {import('./chance.js').Chance} chance */
  constructor(chance) {
    this.chance = chance
  }

  /** A field that conditions of an entity name, mostly. */
  field(entity) {
    const { chance } = this
    const dotted = paths[entity]
    if (dotted && chance.percent(40)) return chance.pick(dotted)
    if (chance.percent(6)) return chance.pick(odd[entity] ?? unknown)
    if (chance.percent(3)) return chance.pick(unknown)
    return chance.pick(Object.keys(entities[entity] ?? { name: 0, certname: 0 }))
  }

  kind(entity, field) {
    return entities[entity]?.[field]?.[0] ?? (paths[entity]?.includes(field) ? 'json' : 'string')
  }

  /** An operand that suits a field and an operator, mostly. */
  operand(entity, field, operator) {
    const { chance } = this
    const kind = this.kind(entity, field)
    if (chance.percent(4)) return chance.pick(Object.values(operands).flat())
    if (operator === '~') return chance.pick(operands.pattern)
    if (operator === '~>') return chance.pick(operands.path)
    const [, ...known] = entities[entity]?.[field] ?? []
    if (known.length > 0 && chance.percent(70)) return chance.pick(known)
    if (kind === 'json' || kind === 'value')
      return chance.pick([...operands.string, ...operands.number, ...operands.boolean])
    return chance.pick(operands[kind])
  }
}
