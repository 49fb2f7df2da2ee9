// A thread that compiles with the build of this checkout: { key, request } in, { key, answer } out.
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { PuppetError } from '#built/base/issue.js'
import { formatExactJson } from '#built/base/json/json-text.js'
import { openCommandLineCode, openEnvironmentDirectory } from '#built/code/environments/environment-opener.js'
import { compile } from '#built/compiler/compile.js'
import { formatPublicSettings } from '#built/machine/settings/public-settings.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { catalogToWire } from '#built/model/catalog-wire.js'
import { buildTrustedFacts } from '#built/node/facts/trusted.js'

const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })
let opened

parentPort?.on('message', async ({ key, request }) => {
  const { node, classes = [], facts, lenient } = request
  opened ??= open(request)
  const environment = await opened
  const began = performance.now()
  const answer = answerOf({
    node: { name: node, environment: environment.name, parameters: {}, classes },
    facts,
    trusted: buildTrustedFacts({ authenticated: 'local', certname: node }),
    serverFacts: {},
    environment,
    staticChecksum: undefined,
    settings: formatPublicSettings(settings),
    strict: lenient ? 'warning' : 'error',
    strictVariables: !lenient,
  })
  parentPort?.postMessage({ key, answer: { ...answer, seconds: (performance.now() - began) / 1000 } })
})

/** The environment of a folder, or modules only; the same for all requests. */
async function open({ environment: directory, modulepath }) {
  if (directory === undefined) return openCommandLineCode({ name: 'production', modulepath, manifest: undefined })
  return (await openEnvironmentDirectory({ directory, name: basename(directory) }, settings)).environment
}

function answerOf(request) {
  try {
    const { catalog, logs } = compile(request)
    const lines = logs.map(({ level, message }) => [level, message])
    // Round by way of JSON, as on the wire.
    return { catalog: JSON.parse(formatExactJson(catalogToWire(catalog, { richData: true }))), logs: lines }
  } catch (error) {
    if (error instanceof PuppetError) return { error: error.message, hint: error.diagnostic.hint, stack: error.stack }
    return { error: `a bug of ours: ${error}`, stack: error?.stack }
  }
}
