// Applies catalogs with noop in this process, and writes the errors of each: DIST MODULES INPUT OUTPUT
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [dist, modules, input, output] = process.argv.slice(2)
const load = (path) => import(pathToFileURL(`${dist}/${path}`).href)
const { catalogFromWire } = await load('model/catalog-wire.js')
const { loadSettings } = await load('machine/settings/settings.js')
const { localSystem } = await load('machine/system/local-system.js')
const { applyCatalog } = await load('node/agent/catalog-application.js')
const { createModuleSources, createFileSources } = await load('node/agent/file-sources.js')
const { createLog } = await load('node/agent/log.js')

const folder = 'C:/work/catalogs'
mkdirSync(folder, { recursive: true })
const given = { confdir: folder, vardir: folder, certname: 'node.example.test', noop: 'true' }
const settings = loadSettings({ given })
await localSystem.files.makeDirectory(settings.statedir)
const sources = createFileSources(localSystem.files, createModuleSources(localSystem.files, [modules]))
const results = {}
for (const { title, catalog, facts } of JSON.parse(readFileSync(input, 'utf8'))) {
  const errors = []
  const write = ({ level, message, source }) => {
    if (level === 'err' || level === 'crit') errors.push(`${source ?? ''}: ${message}`)
  }
  try {
    await applyCatalog(catalogFromWire(catalog), {
      settings,
      system: localSystem,
      machine: localSystem,
      facts,
      sources,
      log: createLog({ write }),
    })
  } catch (error) {
    errors.push(`thrown: ${error.stack}`)
  }
  results[title] = errors
}
writeFileSync(output, JSON.stringify(results))
