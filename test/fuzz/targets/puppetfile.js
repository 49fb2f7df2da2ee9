import { PuppetError } from '../../../dist/base/issue.js'
import { readModuleSources } from '../../../dist/deploy/puppetfile/allowed-sources.js'
import { parseDeclarations } from '../../../dist/deploy/puppetfile/declarations.js'
import { buildPuppetfile } from '../../../dist/deploy/puppetfile/puppetfile-modules.js'
import { allowing, must, textOf } from '../target.js'

const sources = readModuleSources(['https://github.com/acme', 'git@git.example.com:puppet', '/srv/git'])
const root = '/etc/puppetlabs/code/environments/production'

/**
 * What the Ruby of a Puppetfile noted, which that Ruby may have made up: no module is anywhere but in a folder of its own,
 * and none comes from where none may.
 *
 * @type {import('../target.js').Target}
 */
export default {
  name: 'puppetfile',
  seeds: [
    '[["mod",1,"acme/a","1.0.0"],["moduledir",2,"ext"],["mod",3,"acme-b",["symbol","latest"]]]',
    '[["mod",1,"c",["hash",[[["symbol","git"],"https://github.com/acme/c.git"],[["symbol","branch"],["symbol","control_branch"]]]]]]',
    '[["mod",1,"d",["hash",[[["symbol","git"],"git@git.example.com:puppet/d"],[["symbol","install_path"],"site/x"]]]]]',
    '[["mod",1,"e",["hash",[[["symbol","git"],"/srv/git/e.git"],[["symbol","tag"],"v1"]]]],["forge",2,"https://forge.puppet.com"]]',
  ],
  dictionary: [
    '"mod"',
    '["symbol",',
    '["hash",[',
    '["other","X"]',
    '"git"',
    '"../',
    '/%2e%2e/',
    '.git',
    '@',
    '://',
    '::',
    'null',
  ],
  nsPerByte: 5000,
  run(bytes) {
    const declarations = allowing([PuppetError, SyntaxError], () => parseDeclarations(textOf(bytes)))
    if (!declarations) return
    const source = { file: 'Puppetfile', text: '' }
    const context = { source, sources, root, present: new Set(['data', 'manifests']) }
    const puppetfile = allowing([PuppetError, AggregateError], () => buildPuppetfile(declarations, context))
    for (const { path, name, source: from } of puppetfile?.modules ?? []) {
      const parts = path.split('/')
      must(parts.at(-1) === name, `'${path}' is not called '${name}'`)
      must(
        !parts.some((part) => ['', '.', '..'].includes(part) || part.toLowerCase() === '.git'),
        `'${path}' leads out`,
      )
      must(!['data', 'manifests', 'Puppetfile'].includes(path), `'${path}' covers what is there`)
      if (from.kind !== 'git') continue
      must(
        /^(?:https:\/\/(?:[^/@:]+@)?github\.com\/+acme(?:\/|$)|(?:ssh:\/\/)?git@git\.example\.com[:/]\/*puppet(?:\/|$)|\/+srv\/+git(?:\/|$))/i.test(
          from.url,
        ),
        `'${from.url}' is not listed`,
      )
    }
  },
}
