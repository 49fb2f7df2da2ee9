// Share of the Ruby calls (templates, functions, Hiera backends) that a second compilation of each node recalls, on the sites of
// test/recall-equality: each class of Debian's modules, and control repositories; with the reasons why the others ran.
//   npm run bench:recall-rates [-- --only debian,web] [--at-least 98]
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compile } from '#built/compiler/compile.js'
import { CompileProfile } from '#built/compiler/profile/compile-profile.js'
import { summarizeRubyCalls } from '#built/compiler/profile/ruby-call-summary.js'
import { formatPublicSettings } from '#built/machine/settings/public-settings.js'
import { loadSettings } from '#built/machine/settings/settings.js'
import { buildTrustedFacts } from '#built/node/facts/trusted.js'
import { Code } from '../test/recall-equality/code.js'
import { worlds } from '../test/recall-equality/worlds.js'

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'debian,web,farm,cloud,ops' },
    'at-least': { type: 'string' },
  },
})
const settings = loadSettings({ given: { confdir: '/nonexistent', basemodulepath: '' } })
const least = Number(options['at-least'] ?? 0)
for (const name of options.only.split(',')) {
  const share = await measure(name)
  if (share < least) process.exitCode = 1
}

/** Prints the figures of a site; returns the share of the renderings that were recalled in percent. */
async function measure(name) {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-rates-'))
  const world = worlds[name]
  if (!world) throw new Error(`There is no site ${name}: ${Object.keys(worlds).join(', ')}`)
  mkdirSync(join(folder, name))
  world.make(join(folder, name), folder)
  const code = new Code(join(folder, name), name)
  await code.begin(settings)
  const environment = await code.commit('The site')
  const calls = []
  let [nodes, failed] = [0, 0]
  for (const node of world.nodes()) {
    const profile = new CompileProfile()
    try {
      for (const second of [undefined, profile]) compile(requestFor(node, environment, folder, second))
      nodes++
    } catch {
      failed++
    }
    calls.push(...profile.rubyCalls)
  }
  await code.close()
  rmSync(folder, { recursive: true, force: true })
  const renderings = summarizeRubyCalls(calls.filter(({ label }) => /^(?:inline_)?template\b/.test(label)))
  const functions = summarizeRubyCalls(calls.filter(({ label }) => !/^(?:inline_)?template\b/.test(label)))
  console.log(`${name}: ${nodes} nodes with a catalog, ${failed} without`)
  print('templates', renderings)
  print('functions', functions)
  return percent(renderings)
}

function requestFor({ name, facts, parameters, classes }, environment, folder, profile) {
  return {
    node: { name, environment: environment.name, parameters, classes },
    facts,
    trusted: buildTrustedFacts({ authenticated: 'local', certname: name }),
    serverFacts: {},
    environment,
    staticChecksum: 'sha256',
    keyFolders: [join(folder, 'keys')],
    settings: formatPublicSettings(settings),
    strict: /** @type {const} */ ('warning'),
    strictVariables: false,
    profile,
  }
}

function percent({ calls, recalled }) {
  return calls === 0 ? 100 : (100 * recalled) / calls
}

function print(title, summary) {
  console.log(`  ${title}: ${summary.recalled} of ${summary.calls} recalled, ${percent(summary).toFixed(1)} %`)
  for (const { reason, calls, labels } of summary.not_recalled)
    console.log(`    ${calls}  ${reason}: ${labels.map(({ label }) => label).join(', ')}`)
}
