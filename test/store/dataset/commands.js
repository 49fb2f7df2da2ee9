// The commands that make the dataset, in order.
import { catalogOf, inputsOf, olderCatalog } from './catalogs.js'
import { factsOf } from './facts.js'
import { nodes, timeOf } from './nodes.js'
import { olderReport, reportsOf } from './reports.js'

/**
 * A command as it is sent.
 * @typedef {object} DatasetCommand
 * @property {'replace catalog' | 'replace facts' | 'store report' | 'deactivate node' | 'configure expiration' | 'replace catalog inputs'} command
 * @property {number} version
 * @property {{ readonly certname: string, readonly producer_timestamp: string } & Readonly<Record<string, unknown>>} payload
 */

/** @returns {readonly DatasetCommand[]} */
export function datasetCommands() {
  return [...nodes.flatMap(commandsOf), ...afterwards()]
}

function commandsOf(node) {
  const { facts = 5, catalog = 9, report = 8 } = node.versions ?? {}
  const tells = (what) => node.tells.includes(what)
  return [
    ...(tells('facts') ? [{ command: 'replace facts', version: facts, payload: factsOf(node) }] : []),
    ...(tells('catalog')
      ? [{ command: 'replace catalog', version: catalog, payload: inVersion(catalogOf(node), catalog) }]
      : []),
    ...(tells('inputs') ? [{ command: 'replace catalog inputs', version: 1, payload: inputsOf(node) }] : []),
    ...(tells('reports') ? reportsOf(node) : []).map((payload) => {
      return {
        command: 'store report',
        version: report,
        payload: report === 8 ? payload : olderReport(payload, report),
      }
    }),
  ]
}

const inVersion = (catalog, version) => (version === 9 ? catalog : olderCatalog(catalog, version))

/** What comes later: news, what is too late, nodes that go and come. */
function afterwards() {
  const node = (certname) => nodes.find((each) => each.certname === certname)
  const [web, gone, gone2, back, lasting] = ['web01', 'gone', 'gone2', 'came-back', 'never-expires'].map((name) =>
    node(`${name}.example.com`),
  )
  const deactivate = (of, hours) => ({
    command: 'deactivate node',
    version: 3,
    payload: { certname: of.certname, producer_timestamp: timeOf(of, hours) },
  })
  return [
    { command: 'replace facts', version: 5, payload: factsOf(web, 1) },
    { command: 'replace catalog', version: 9, payload: catalogOf(web, 1) },
    { command: 'replace facts', version: 5, payload: { ...factsOf(web, 0), values: { too: 'late' } } },
    { command: 'store report', version: 8, payload: reportsOf(web)[0] },
    deactivate(gone, 30),
    deactivate(gone2, 30.5),
    deactivate(back, 10),
    { command: 'replace facts', version: 5, payload: factsOf(back, 1) },
    {
      command: 'configure expiration',
      version: 1,
      payload: { certname: lasting.certname, producer_timestamp: timeOf(lasting, 1), expire: { facts: false } },
    },
  ]
}
