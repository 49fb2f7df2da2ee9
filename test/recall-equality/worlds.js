import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { siteFiles } from '../../bench/large/site.js'
import { classNames } from '../../scripts/conformance/classes.js'
import { fleetFiles, fleetNodes } from './fleet.js'

const debian = '/usr/share/puppet/modules'
const here = (path) => fileURLToPath(new URL(path, import.meta.url))
const debian12 = JSON.parse(readFileSync(here('../oracle/facts.json'), 'utf8'))
const withoutModules = () => (existsSync(debian) ? undefined : `Debian's modules are not in ${debian}`)

/**
 * Sites to edit, by name.
 *
 * @typedef {object} WorldNode
 * @property {string} name
 * @property {object} facts
 * @property {Record<string, unknown>} parameters
 * @property {readonly string[] | object} classes
 *
 * @typedef {object} WorldKind
 * @property {() => string | undefined} [lacks] Why it cannot be on this machine.
 * @property {(folder: string, beside: string) => void} make Writes its files.
 * @property {() => readonly WorldNode[]} nodes
 * @property {boolean} [exports] True where nodes collect what others export.
 * @property {string} [nodeData] The folder of the data of single nodes.
 */

/** @type {Readonly<Record<string, WorldKind>>} */
export const worlds = {
  debian: {
    lacks: withoutModules,
    make(folder) {
      write(folder, { 'environment.conf': 'modulepath = modules\n', 'README.md': 'All modules of Debian.\n' })
      copyModules(join(folder, 'modules'))
    },
    nodes: () =>
      classNames(debian).map((name) => ({ ...node(`${name.replaceAll('::', '-')}.example.test`), classes: [name] })),
  },
  ...Object.fromEntries(
    Object.entries({
      web: ['web1', 'web2', 'web3', 'lb1', 'lb2', 'db1', 'db7'],
      cloud: ['controller1', 'controller2', 'compute1', 'compute2', 'compute3'],
      ops: ['ops1', 'ops2', 'vault1', 'vault2'],
    }).map(([site, names]) => [site, fixture(site, names)]),
  ),
  farm: { ...fixture('farm', ['web1', 'web2', 'web3', 'web4', 'lb1', 'lb2', 'mon1']), exports: true },
  backends: fixture('backends', ['backends', 'backends2', 'backends3']),
  large: large(280, 20, 60),
  fleet: {
    make: (folder) => write(folder, fleetFiles()),
    nodes: () => fleetNodes(200).map(({ name, facts, ...rest }) => ({ ...node(name, facts), ...rest })),
    exports: true,
    nodeData: 'data/nodes',
  },
}

/** A control repository of the tests' own, on Debian's modules. */
function fixture(site, names) {
  return {
    lacks: withoutModules,
    make(folder, beside) {
      cpSync(here(`../fixtures/sites/${site}`), folder, { recursive: true })
      write(folder, { 'environment.conf': 'modulepath = modules:debian\nmanifest = manifests\n' })
      copyModules(join(folder, 'debian'))
      if (site === 'ops') encryptSecrets(folder, join(beside, 'keys'))
    },
    nodes: () => names.map((name) => ({ ...node(`${name}.example.test`), ...classification(site, name) })),
    nodeData: site === 'web' || site === 'farm' ? 'data/node' : undefined,
  }
}

/** As the classifier of the ops says. */
function classification(site, name) {
  if (site !== 'ops') return {}
  if (!name.startsWith('vault')) return { parameters: { rack: 'none' } }
  const contacts = { 1: 'ops@example.test', 2: 'night@example.test' }
  const classes = { 'role::vault': { audited: true }, 'profile::access': null, 'profile::clock': { stage: 'early' } }
  return { parameters: { role: 'vault', rack: '7b', contacts }, classes }
}

/** Nodes of roles on the large site, and the one that has all of it. */
function large(modules, roles, count) {
  const shared = 26
  const perRole = Math.floor((modules - shared) / roles)
  const included = (from, some) =>
    Array.from({ length: some }, (_, at) => `  include m${String(from + at).padStart(3, '0')}\n`).join('')
  const all = siteFiles({ modules, nodes: count })
  return {
    make(folder) {
      write(folder, Object.fromEntries(all))
      for (let role = 0; role < roles; role++)
        write(folder, {
          [`site/role${role}/manifests/init.pp`]: `class role${role} {\n${included(shared + role * perRole, perRole)}}\n`,
        })
      const usual = `node default {\n${included(0, shared)}  include "role\${facts['role']}"\n}\n`
      write(folder, {
        'manifests/site.pp': `${all.get('manifests/site.pp').replace(/node default \{[\s\S]*\}\n$/, '')}${usual}`,
      })
    },
    nodes: () => [
      node('everything.example.test'),
      ...Array.from({ length: count }, (_, at) => node(`node${at}.example.test`, { role: String(at % roles) })),
    ],
    nodeData: 'data/nodes',
  }
}

/** A Debian 12 machine by another name. */
function node(name, more = {}) {
  const [hostname, ...domain] = name.split('.')
  const networking = { ...debian12.networking, fqdn: name, hostname, domain: domain.join('.') }
  const own = { fqdn: name, hostname, domain: domain.join('.'), sshed25519key: Buffer.from(name).toString('base64') }
  return { name, facts: { ...debian12, networking, ...own, sites: ['north'], ...more }, parameters: {}, classes: [] }
}

function copyModules(folder) {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(debian))
    cpSync(realpathSync(join(debian, name)), join(folder, name), { recursive: true, dereference: true })
}

/** Encrypts what stands in `DEC::PKCS7[…]!`, with new keys, which hiera.yaml then names. */
function encryptSecrets(folder, keys) {
  mkdirSync(keys, { recursive: true })
  const pair = [`--pkcs7-private-key=${keys}/private.pem`, `--pkcs7-public-key=${keys}/public.pem`]
  const eyaml = (...words) => execFileSync('eyaml', words, { cwd: dirname(keys), encoding: 'utf8' })
  eyaml('createkeys', '--quiet', ...pair)
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    if (path.endsWith('.eyaml'))
      writeFileSync(join(folder, path), eyaml('encrypt', '--quiet', ...pair, '--eyaml', join(folder, path)))
  const hiera = join(folder, 'hiera.yaml')
  writeFileSync(hiera, readFileSync(hiera, 'utf8').replaceAll('@keys@', keys))
}

function write(folder, files) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
