import { PuppetError } from '../../../dist/base/issue.js'
import { Digests } from '../../../dist/code/environments/digests.js'
import { openGitTree } from '../../../dist/code/environments/git/git-tree.js'
import { findTreeEntry, parseTreeLine } from '../../../dist/code/git/trees/tree-entries.js'
import { allowing, must, textOf } from '../target.js'

const oid = 'ce013625030ba8dba906f756967f9e9ca394464a'
const raw = String.fromCharCode(...Buffer.from(oid, 'hex'))
const modes = /** @type {const} */ (['100644', '100755', '120000', '160000', '040000'])

/** Beyond this, who lists a tree refuses it. */
const longestPath = 4096
const deepest = 128
const isListed = (/** @type {string} */ path) =>
  path !== '' && path.length <= longestPath && path.split('/').length <= deepest

/**
 * Trees as git stores and lists them, and as we hold them: of lines `path` or `path -> destination of a link`.
 *
 * @type {import('../target.js').Target}
 */
export default {
  name: 'trees',
  seeds: [
    Buffer.from(`100644 a.pp\x00${raw}40000 modules\x00${raw}120000 link\x00${raw}`, 'latin1'),
    `100644 blob ${oid}       6\tmanifests/site.pp\x00160000 commit ${oid}       -\tsub\x00120000 blob ${oid}      12\tlink\x00`,
    'manifests/site.pp\nmodules/a/manifests/init.pp\nmodules/b -> a\nx -> ../outside\nl -> l\nm -> modules/b/manifests\nmodules/a/files/y -> ./../manifests/init.pp',
  ],
  dictionary: [
    '100644 ',
    '100755 ',
    '120000 ',
    '40000 ',
    '160000 ',
    ' blob ',
    ' tree ',
    '\0',
    '\t',
    '\n',
    ' -> ',
    '../',
    './',
    '/',
    '//',
    '..',
    '-> a',
    '-> /',
    oid,
    raw,
  ],
  run(bytes) {
    const content = Buffer.from(bytes)
    for (const name of ['a.pp', 'modules', '']) {
      const child = allowing([PuppetError], () => findTreeEntry(content, name, 20))
      must(!child || (child.oid.length === 40 && modes.includes(child.mode)), `'${name}' is no entry`)
    }
    for (const line of textOf(bytes).split('\0').slice(0, 100)) {
      const entry = allowing([PuppetError], () => parseTreeLine(line))?.entry
      must(
        !entry || (/^[0-9a-f]{40,64}$/.test(entry.oid) && modes.includes(entry.mode) && entry.path !== ''),
        'no entry',
      )
    }
    held(textOf(bytes))
  },
}

/** @param {string} text */
function held(text) {
  const lines = new Map(
    text.split('\n').map((line) => {
      const arrow = line.indexOf(' -> ')
      return arrow < 0 ? [line, undefined] : [line.slice(0, arrow), line.slice(arrow + 4)]
    }),
  )
  const paths = [...lines.keys()].filter(
    (path) => isListed(path) && !path.split('/').some((name) => ['', '.', '..'].includes(name)),
  )
  const destinations = paths.map((path) => lines.get(path)?.slice(0, longestPath))
  const pack = Buffer.from(destinations.join(''))
  let offset = 0
  const leaves = paths.map((path, index) => {
    const destination = destinations[index]
    if (destination === undefined) return [path, modes[0], oid]
    const length = Buffer.byteLength(destination)
    offset += length
    return [path, modes[2], oid, 0, offset - length, length]
  })
  const snapshot = {
    kind: 'git',
    commit: oid,
    time: 0,
    root: '/env',
    index: [Buffer.from(JSON.stringify(leaves))],
    packs: [Uint8Array.from(pack).buffer],
  }
  const tree = openGitTree(
    /** @type {any} */ (snapshot),
    new Digests(),
    /** @type {any} */ ({ read: () => Buffer.from('content') }),
  )
  for (const path of [
    ...paths.slice(0, 50),
    '',
    '.',
    '..',
    'modules/../manifests',
    ...destinations.slice(0, 50).map(String),
  ]) {
    const entry = tree.entry(path)
    const destination = tree.linkDestination(path)
    must(destination === undefined || pack.includes(destination), `'${path}' leads to '${destination}'`)
    if (entry?.kind === 'file') must(tree.read(path)?.length === 7, `'${path}' cannot be read`)
    if (entry?.kind === 'directory')
      for (const name of tree.list(path).slice(0, 20)) must(!name.includes('/'), `'${name}' is no name`)
  }
}
