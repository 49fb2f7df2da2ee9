// Compiles the catalog of the Apache node each time its parent asks: node compiler.js REPOSITORY
import { openCommit } from '#built/code/environments/environment-opener.js'
import { compile } from '#built/compiler/compile.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { buildTrustedFacts } from '#built/node/facts/trusted.js'
import { plainRequest } from '../../test/support/plain-request.js'
import { factsNow } from '../server/client.js'
import { certname } from '../server/control-repository.js'

const [repository = ''] = process.argv.slice(2)
const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })
const { environment } = await openCommit({ repository, ref: 'production' }, settings)

process.on('message', () => {
  const start = process.cpuUsage()
  const { catalog } = compile(
    plainRequest(environment, {
      node: { name: certname, environment: 'production', parameters: {}, classes: [] },
      facts: factsNow().values,
      trusted: buildTrustedFacts({ authenticated: 'remote', certname }),
    }),
  )
  const { user, system } = process.cpuUsage(start)
  process.send?.({ cpu: (user + system) / 1000, resources: catalog.resources.length })
})
