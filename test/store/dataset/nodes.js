// The nodes of the dataset: what they are, and which commands tell of them.

/**
 * A node.
 * @typedef {object} Node
 * @property {string} certname
 * @property {number} index
 * @property {string | null} environment
 * @property {string | null} producer
 * @property {string} profile its system, a key of `systems`
 * @property {readonly string[]} roles the parts of its catalog
 * @property {readonly ('facts' | 'catalog' | 'reports' | 'packages' | 'inputs')[]} tells
 * @property {{ readonly facts?: number, readonly catalog?: number, readonly report?: number }} [versions] older than the newest
 */

const all = /** @type {const} */ (['facts', 'catalog', 'reports', 'packages', 'inputs'])
const usual = /** @type {const} */ (['facts', 'catalog', 'reports'])

const table = [
  ['web01.example.com', 'production', 'puppet1.example.com', 'debian', 'web', all],
  ['web02.example.com', 'production', 'puppet1.example.com', 'debian', 'web', all],
  ['web03.example.com', 'production', 'puppet2.example.com', 'ubuntu', 'web users', usual],
  ['web04.example.com', 'staging', 'puppet2.example.com', 'ubuntu', 'web', usual],
  ['db01.example.com', 'production', 'puppet1.example.com', 'redhat', 'db', all],
  ['db02.example.com', 'production', 'puppet2.example.com', 'redhat', 'db', usual],
  [
    'db03.example.com',
    'staging',
    'puppet2.example.com',
    'rocky',
    'db odd',
    ['facts', 'catalog', 'reports', 'packages'],
  ],
  ['mail.example.com', 'production', 'puppet1.example.com', 'debian', 'users odd', usual],
  ['cache-1.example.net', 'production', 'puppet1.example.com', 'sles', 'users', usual],
  ['cache-2.example.net', 'feature_x', 'puppet1.example.com', 'sles', 'odd', all],
  ['win01.example.org', 'production', 'puppet2.example.com', 'windows', 'windows', usual],
  ['win02.example.org', 'development', 'puppet2.example.com', 'windows', 'windows', usual],
  ['bsd.example.org', 'development', 'puppet2.example.com', 'freebsd', 'users', usual],
  ['mac.example.org', 'development', null, 'darwin', 'users', usual],
  ['old6.example.com', 'legacy', 'puppet0.example.com', 'debian', 'web', usual, { facts: 4, catalog: 6, report: 5 }],
  ['old7.example.com', 'legacy', 'puppet0.example.com', 'redhat', 'db', usual, { facts: 4, catalog: 7, report: 6 }],
  ['old8.example.com', 'legacy', 'puppet0.example.com', 'ubuntu', 'users', usual, { catalog: 8, report: 7 }],
  ['facts-only.example.com', 'production', 'puppet1.example.com', 'debian', '', ['facts']],
  ['facts-only2.example.com', 'edge', 'puppet3.example.com', 'rocky', '', ['facts', 'packages']],
  ['catalog-only.example.com', 'production', 'puppet1.example.com', 'debian', 'web', ['catalog']],
  ['report-only.example.com', 'production', 'puppet1.example.com', 'debian', 'users', ['reports']],
  ['no-environment.example.com', 'production', null, 'ubuntu', 'users', usual],
  ['gone.example.com', 'production', 'puppet1.example.com', 'debian', 'web', all],
  ['gone2.example.com', 'staging', 'puppet2.example.com', 'redhat', 'db', usual],
  ['came-back.example.com', 'production', 'puppet1.example.com', 'debian', 'users', usual],
  ['expired.example.com', 'retired', 'puppet4.example.com', 'debian', 'users', usual],
  ['never-expires.example.com', 'production', 'puppet1.example.com', 'sles', '', ['facts']],
]

/** @type {readonly Node[]} */
export const nodes = table.map(([certname, environment, producer, profile, roles, tells, versions], index) => ({
  certname,
  index,
  environment,
  producer,
  profile,
  roles: ['base', ...roles.split(' ').filter(Boolean)],
  tells,
  ...(versions && { versions }),
}))

/** Nodes that were there when the century was young, and nothing since. */
const forgotten = new Set(['expired.example.com'])

/** The time of a node's run, in hours and minutes after the first one: `2026-11-20T06:00:00.000Z` and on. */
export function timeOf(node, hours, minutes = 0, milliseconds = 0) {
  const start = Date.UTC(forgotten.has(node.certname) ? 2001 : 2026, 10, 20, 6, node.index)
  return new Date(start + (hours * 60 + minutes) * 60_000 + milliseconds).toISOString()
}

/** A UUID that is always the same for the same node, purpose and number. */
export function uuidOf(node, purpose, number = 0) {
  const hex = (value, length) => value.toString(16).padStart(length, '0')
  const kind = [...purpose].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 0xffff, 7)
  return `${hex(0x51070000 + node.index, 8)}-${hex(kind, 4)}-4${hex(number, 3)}-a${hex(node.index * 7, 3)}-${hex(number * 65537 + node.index, 12)}`
}
