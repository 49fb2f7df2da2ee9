// What a run left, as lines that can be compared: without times, and without what tells two runs of one program apart.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { homeOfServer, varOfServer } from './roots.js'

/** Where each agent keeps its state in its root. */
const vardirs = /\/var\/(?:cache\/puppet|lib\/plumb)\b/g
/**
 * Lines that are not compared: errors in facts (they have Ruby's words, and real Puppet runs in another Ruby), what Puppet 7
 * and 8 say of doubtful code in words of their own, who compiled a catalog (Puppet 8's), and the code that is applied (ours).
 */
const ownLines =
  /Facter: |Compiled catalog|[Uu]n(?:defined|known) variable|deprecat|Could not retrieve fact|Catalog compiled by|Applying code_id/

/** Times, names of temporary files, and own folders. @param {string} line */
const timeless = (line) =>
  line
    .replace(/ \(file: [^)]*\)| \(line: \d+\)/g, '')
    .replace(/in [\d.]+ seconds/, 'in N seconds')
    .replace(/\.conf20\d{6}-\S+\.lock/, '.conf')
    .replaceAll(vardirs, 'VARDIR')

/** Notices, warnings and errors that were printed. @param {string} output */
export function linesOf(output) {
  return output
    .split('\n')
    .map((line) => line.trimStart())
    .filter((line) => /^(?:Notice|Warning|Error): /.test(line) && !ownLines.test(line))
    .map(timeless)
    .sort()
}

/** A line for each resource's status and each event of a report, without what is Puppet's own. @param {string} text */
export function reportOf(text) {
  const { status, transaction_completed: completed, resource_statuses: statuses } = parse(text.replace(/^---.*\n/, ''))
  const lines = Object.entries(statuses)
    .filter(([reference]) => !/^(?:Schedule|Filebucket)\[/.test(reference))
    .flatMap(([reference, { changed, failed, skipped, out_of_sync, corrective_change, failed_to_restart, events }]) => [
      `${reference} ${JSON.stringify({ changed, failed, skipped, out_of_sync, corrective_change, failed_to_restart })}`,
      .../** @type {Record<string, unknown>[]} */ (events).map(
        ({ property, name, status, previous_value, desired_value, message }) =>
          `${reference} event ${JSON.stringify({ property, name, status, previous_value, desired_value, message })}`,
      ),
    ])
  return [`${status}, ${completed ? 'whole' : 'broken off'}`, ...lines.map(timeless).sort()]
}

/** Level, source and text of what a report logs, but for those lines that `linesOf` leaves out. @param {string} text */
export function logsOf(text) {
  const { logs } = parse(text.replace(/^---.*\n/, ''))
  return /** @type {Record<string, unknown>[]} */ (logs)
    .filter(
      ({ level, source, message }) =>
        /^(?:notice|warning|err)$/.test(`${level}`) && !ownLines.test(`${source}: ${message}`),
    )
    .map(({ level, source, message }) => timeless(JSON.stringify([level, source, plainDiff(`${message}`)])))
    .sort()
}

/**
 * The lines that a diff takes away and adds, on the whole: names and times of its files are not compared, nor which of several
 * equal lines it takes for the same (ours is no program: docs/differences.md).
 * @param {string} message
 */
function plainDiff(message) {
  if (!/^\n--- .*\n\+\+\+ /.test(message)) return message
  const counts = new Map()
  for (const line of message.split('\n').slice(3)) {
    const sign = { '+': 1, '-': -1 }[line[0] ?? '']
    if (sign) counts.set(line.slice(1), (counts.get(line.slice(1)) ?? 0) + sign)
  }
  return JSON.stringify([...counts].filter(([, count]) => count !== 0).sort())
}

/** A line for each resource of a catalog with its parameters and tags, and one for each edge. @param {string} text */
export function catalogOf(text) {
  const { resources, edges } = JSON.parse(text)
  return [
    ...resources.map((/** @type {Record<string, any>} */ { type, title, parameters = {}, tags, exported }) => {
      const { name, ...others } = parameters
      // Real Puppet's agent keeps a catalog as it read it, without names that are titles; ours keeps it as it came.
      const given = sorted(`${name}`.toLowerCase() === title.toLowerCase() ? others : parameters)
      return `${type}[${title}] ${JSON.stringify({ exported, tags: [...tags].sort(), ...given })}`
    }),
    ...edges.map((/** @type {Record<string, string>} */ { source, target }) => `${source} contains ${target}`),
  ]
    .map((line) => line.replaceAll('Class[main]', 'Class[Main]'))
    .sort()
}

/** @param {Record<string, unknown>} hash */
const sorted = (hash) => Object.fromEntries(Object.entries(hash).sort(([a], [b]) => (a < b ? -1 : 1)))

/**
 * The modules that a catalog is made of: those of its manifests, and those whose Ruby types it has.
 * @param {string} text
 * @param {string} modules the folder of all of them
 */
export function modulesOf(text, modules) {
  const { resources } = JSON.parse(text)
  const used = new Set(
    resources.flatMap(
      (/** @type {{ file?: string }} */ { file }) => /\/modules\/([a-z]\w*)\//.exec(file ?? '')?.[1] ?? [],
    ),
  )
  const types = new Set(resources.map((/** @type {{ type: string }} */ { type }) => type.toLowerCase()))
  for (const name of readdirSync(modules)) {
    const folder = join(modules, name, 'lib/puppet/type')
    const own = existsSync(folder) ? readdirSync(folder).map((each) => each.replace(/\.rb$/, '')) : []
    if (own.some((type) => types.has(type))) used.add(name)
  }
  return [...used].sort()
}

/** The newest report that the server of a root has. @param {string} folder @param {string} name */
export function reportAtServer(folder, name) {
  const place = join(homeOfServer(folder, name), varOfServer(name), 'reports/node.example.test')
  return readFileSync(join(place, String(readdirSync(place).sort().at(-1))), 'utf8')
}
