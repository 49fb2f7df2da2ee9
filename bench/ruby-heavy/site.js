// A control repository as a Ruby-heavy site has one, made up: custom Hiera backends in Ruby, functions in Ruby of both
// kinds with helper code, ERB templates by the hundred, a type in Ruby, and generate(). Nodes of 2,500 to 3,800 resources.
import { readFileSync } from 'node:fs'
import { moduleData, patterns, roleData, secretData } from './site-data.js'
import { baseModule, serviceFiles } from './site-manifests.js'
import { rubyFiles } from './site-ruby.js'

/** The program that `generate()` runs, which the server has to allow. */
export const program = '/usr/bin/printf'

/** The file that a push changes, and the parameter's resource that shows it. */
export const changedFile = 'data/common/fleet.yaml'

const services = Array.from({ length: 110 }, (_, number) => `s${String(number).padStart(3, '0')}`)
/** All nodes have these. */
const common = services.slice(0, 78)
/** How many services a role has beside them. */
const roles = { web: 3, db: 9, queue: 15, build: 21, proxy: 26, everything: 32 }

/** Nodes by name, each with its facts. */
export function siteNodes() {
  const recorded = JSON.parse(readFileSync(new URL('../../test/oracle/facts.json', import.meta.url), 'utf8'))
  return new Map(
    Object.keys(roles).map((role, index) => {
      const site = index % 2 === 0 ? 'north' : 'south'
      const hostname = `${role}1`
      const domain = `${site}.example.test`
      const names = { hostname, domain, fqdn: `${hostname}.${domain}` }
      const facts = { ...recorded, ...names, clientcert: names.fqdn, networking: { ...recorded.networking, ...names } }
      return [names.fqdn, facts]
    }),
  )
}

/** Text by path. */
export function siteFiles() {
  /** @type {[path: string, text: string][]} */
  const roleManifests = Object.entries(roles).map(([role, count], index) => {
    const start = common.length + ((index * 5) % (services.length - common.length - count + 1))
    const own = services.slice(start, start + count)
    return [`site/role/manifests/${role}.pp`, roleManifest(role, own)]
  })
  return new Map([
    ['environment.conf', 'modulepath = modules:site\n'],
    ['hiera.yaml', hiera],
    ['manifests/site.pp', siteManifest],
    ...roleManifests,
    ...Object.entries(baseModule(common, program)),
    ...Object.entries(rubyFiles),
    ...services.flatMap((name, number) => Object.entries(serviceFiles(name, number))),
    ...services.flatMap((name, number) => Object.entries(moduleData(name, number))),
    ...Object.keys(roles).flatMap((role, number) => Object.entries(roleData(role, number, services))),
    ...Object.entries(secretData(services)),
    ['data/patterns.yaml', patterns(services)],
    ['data/common.yaml', commonData],
    [changedFile, fleetData(0)],
  ])
}

/** What a push changes: a value that each node's catalog has in `/etc/fleet/revision`. */
export const fleetData = (revision) => `---
fleet::revision: ${revision}
fleet::contact: "ops@%{facts.networking.domain}"
`

const hiera = `---
version: 5
defaults: { datadir: data, data_hash: yaml_data }
hierarchy:
  - { name: host, path: "hosts/%{facts.networking.hostname}.yaml" }
  - name: pattern
    lookup_key: fleet::by_pattern
    path: patterns.yaml
    options: { node: "%{facts.networking.fqdn}" }
  - name: role
    paths: ["role/%{::location}/%{::role_path}.yaml", "role/common/%{::role_path}.yaml"]
  - name: secrets
    data_hash: fleet::sealed
    paths: ["secrets/role/%{::role_path}.yaml", secrets/all.yaml]
  - { name: location, lookup_key: fleet::by_path, path: "%{::location}" }
  - { name: common, lookup_key: fleet::by_path, path: common }
  - { name: rest, path: common.yaml }
`

const commonData = `---
lookup_options:
  '^s\\d+::limits$': { merge: { strategy: deep } }
  '^s\\d+::packages$': { merge: unique }
fleet::domain: example.test
`

const siteManifest = `$location = $facts['networking']['domain'] ? {
  /^north\\./ => 'north',
  default    => 'south',
}

${Object.keys(roles)
  .map((role) => `node /^${role}\\d+\\./ {\n  fleet::assign('${role}')\n}\n`)
  .join('\n')}
node default {
}
`

const roleManifest = (role, own) => `# Nodes for ${role}.
class role::${role} {
  include fleet
${own.map((name) => `  include ${name}\n`).join('')}}
`
