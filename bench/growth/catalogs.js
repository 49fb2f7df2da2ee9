// Compilations of catalogs with N resources, each size in a process of its own.
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { median } from './fit.js'

const perInstance = 10

export const catalogs = {
  name: 'catalogs',
  title: 'resources per catalog',
  sizes: { full: [100, 300, 1000, 3000, 10_000, 30_000], quick: [100, 1000, 5000] },
  measurements: {
    first: { title: 'first compilation of a process', unit: 'ms', atMost: 1.1, noise: 50 },
    second: { title: 'later compilation', unit: 'ms', atMost: 1.1, noise: 20 },
    memory: { title: 'memory (RSS) beyond the smallest catalog', unit: 'MiB', atMost: 1.1, noise: 30 },
  },
  /** @param {{ folder: string, sizes: readonly number[], rounds: number }} options */
  async measure({ folder, sizes, rounds }) {
    const results = []
    for (const size of sizes) results.push({ size, ...(await compileInProcess(folder, size, rounds)) })
    const base = results[0].rss
    return results.map(({ rss, ...each }) => ({ ...each, memory: (rss - base) / 2 ** 20 }))
  },
}

/** A folder with a module whose class declares `size` resources by a defined type, with relationships and collectors. */
function writeSite(folder, size) {
  const root = join(folder, `catalog${size}`)
  const put = (path, text) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const instances = Math.max(1, Math.round(size / perInstance))
  put('environment.conf', 'modulepath = modules\n')
  put(
    'hiera.yaml',
    '---\nversion: 5\nhierarchy: [{ name: common, path: common.yaml, data_hash: yaml_data, datadir: data }]\n',
  )
  put('data/common.yaml', `---\nsite::instances: ${instances}\nsite::owner: root\n`)
  put('manifests/site.pp', 'node default { include site }\n')
  put(
    'modules/site/manifests/init.pp',
    `class site (Integer $instances, String $owner) {
  Integer[1, $instances].each |$number| {
    site::instance { "instance\${number}": number => $number, owner => $owner }
  }
  Package <| tag == 'site' |> -> Service <| tag == 'never' |>
  File <| tag == 'config' |> { group => 'adm' }
}
`,
  )
  put(
    'modules/site/manifests/instance.pp',
    `define site::instance (Integer $number, String $owner) {
  package { "package\${number}": ensure => installed, tag => 'site' }
  -> file { ["/srv/\${title}", "/srv/\${title}/etc", "/srv/\${title}/log"]: ensure => directory, owner => $owner }
  -> file { "/srv/\${title}/etc/main.conf":
    content => epp('site/main.epp', { 'name' => $title, 'number' => $number }),
    tag     => 'config',
    notify  => Service[$title],
  }
  file { "/srv/\${title}/etc/static.conf": content => "static of \${facts['networking']['fqdn']}\\n", require => Package["package\${number}"] }
  user { "user\${number}": ensure => present, uid => 10000 + $number, before => File["/srv/\${title}/log"] }
  service { $title: ensure => running, enable => true, subscribe => File["/srv/\${title}/etc/static.conf"] }
  cron { "job of \${title}": command => "/srv/\${title}/run", minute => $number % 60, user => "user\${number}" }
}
`,
  )
  put(
    'modules/site/templates/main.epp',
    `<%- | String $name, Integer $number | -%>
# <%= $name %>
<% Integer[1, 5].each |$line| { -%>
line <%= $line %> of <%= $number %> on <%= $facts['os']['family'] %>
<% } -%>
`,
  )
  return root
}

/** Medians of a process that compiles the catalog several times. */
async function compileInProcess(folder, size, rounds) {
  const root = writeSite(folder, size)
  const runs = []
  for (let round = 0; round < rounds; round++)
    runs.push(
      await new Promise((done, fail) => {
        const child = fork(join(import.meta.dirname, 'compiling.js'), [root], {
          execArgv: ['--expose-gc', '--stack-size=16000'],
        })
        child.once('message', done)
        child.once('exit', (code) => fail(new Error(`the compiler of ${size} resources ended with ${code}`)))
      }),
    )
  const middle = (key) => median(runs.map((run) => run[key]))
  const { resources } = runs[0]
  if (Math.abs(resources - size) > size / 5 + 20) throw new Error(`the catalog has ${resources} resources, not ${size}`)
  return { first: middle('first'), second: middle('second'), rss: middle('rss') }
}
