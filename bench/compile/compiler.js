// Compiles the catalog of the Apache node each time its parent asks: node compiler.js DIST REPOSITORY
import { factsNow } from '../server/client.js'
import { certname } from '../server/control-repository.js'

const [build = '', repository = ''] = process.argv.slice(2)
const { openCommit } = await import(`${build}/code/environments/environment-opener.js`)
const { compile } = await import(`${build}/compiler/compile.js`)
const { loadSettings } = await import(`${build}/machine/settings/settings.js`)
const { buildTrustedFacts } = await import(`${build}/node/facts/trusted.js`)

const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })
const { environment } = await openCommit({ repository, ref: 'production' }, settings)

process.on('message', () => {
  const start = process.cpuUsage()
  const { catalog } = compile({
    node: { name: certname, environment: 'production', parameters: {}, classes: [] },
    facts: factsNow().values,
    trusted: buildTrustedFacts({ authenticated: 'remote', certname }),
    serverFacts: {},
    environment,
    staticChecksum: undefined,
    settings: {},
    strict: 'error',
    strictVariables: true,
  })
  const { user, system } = process.cpuUsage(start)
  process.send?.({ cpu: (user + system) / 1000, resources: catalog.resources.length })
})
