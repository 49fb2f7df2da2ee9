// Compiles the catalog of an environment directory several times, and sends the costs to its parent: node compiling.js FOLDER
import { readFileSync } from 'node:fs'
import { openEnvironmentDirectory } from '#built/code/environments/environment-opener.js'
import { compile } from '#built/compiler/compile.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { plainRequest } from '../../test/support/plain-request.js'
import { median } from './fit.js'

const [folder = ''] = process.argv.slice(2)
const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })
const { environment } = await openEnvironmentDirectory({ directory: folder, name: 'production' }, settings)
const facts = JSON.parse(readFileSync(new URL('../../test/oracle/facts.json', import.meta.url), 'utf8'))
const request = plainRequest(environment, { facts, wantsFull: true, staticChecksum: 'sha256' })

function once() {
  const start = process.cpuUsage()
  const { catalog } = compile(request)
  const { user, system } = process.cpuUsage(start)
  return { cpu: (user + system) / 1000, resources: catalog.resources.length }
}

const first = once()
const later = Array.from({ length: 5 }, once)
const { maxRSS } = process.resourceUsage()
process.send?.({
  first: first.cpu,
  second: median(later.map(({ cpu }) => cpu)),
  resources: first.resources,
  rss: maxRSS * 1024,
})
