import { PuppetError } from '../../../dist/base/issue.js'
import { readEnvironmentConf } from '../../../dist/code/environments/environment-conf.js'
import { parsePuppetConf } from '../../../dist/machine/settings/puppet-conf.js'
import { loadSettings } from '../../../dist/machine/settings/settings.js'
import { allowing, textOf } from '../target.js'

const nowhere = { PLUMB_CONFDIR: '/no-such-folder', PLUMB_VARDIR: '/no-such-folder', HOME: '/no-such-folder' }
const settings = loadSettings({ env: nowhere })

/** puppet.conf and environment.conf: refused in words, or settings. @type {import('../target.js').Target} */
export default {
  name: 'settings',
  seeds: [
    'modulepath = site:modules:$basemodulepath\nmanifest = manifests/site.pp\nconfig_version = scripts/version.sh $environment\nenvironment_timeout = 5m\nstatic_catalogs = false\n',
    '[main]\nserver = "puppet.example.com" # a comment\nruninterval=${runinterval}\n[agent]\n  dns_alt_names = a , b\n# end\n',
  ],
  dictionary: [
    '[main]',
    '[server]',
    '[master]',
    ' = ',
    '=',
    '#',
    '"',
    "'",
    '$',
    '${',
    '}',
    '${environment}',
    '$confdir',
    ':',
    'modulepath',
    'manifest',
    'environment_timeout',
    'unlimited',
    '5y',
    '\n',
    '\r\n',
    '\t',
    ' ',
    'true',
  ],
  run(bytes) {
    const text = textOf(bytes)
    const sections = allowing([PuppetError], () => parsePuppetConf({ file: 'puppet.conf', text }))
    allowing([PuppetError], () => readEnvironmentConf({ file: '/e/environment.conf', text }, 'production', settings))
    // One value at a time: what many of them make of each other is the business of whoever runs the machine.
    for (const [name, value] of [...(sections?.get('main') ?? [])].slice(0, 3))
      allowing([PuppetError], () => loadSettings({ env: nowhere, given: { [name]: value } }))
  },
}
