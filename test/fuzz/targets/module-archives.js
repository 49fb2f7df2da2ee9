import { PuppetError } from '../../../dist/base/issue.js'
import { toArchiveFile } from '../../../dist/machine/archive/archive.js'
import { normalizeArchivePath, resolveLink } from '../../../dist/machine/archive/archive-paths.js'
import { allowing, must, textOf } from '../target.js'

/**
 * Entries of a module's archive, as tar names them: lines `path`, or `path -> target of a link`. What is taken stays inside, and
 * is nothing of git's.
 *
 * @type {import('../target.js').Target}
 */
export default {
  name: 'module-archives',
  seeds: ['acme-a-1.0.0/metadata.json\nacme-a-1.0.0/files/x -> ../manifests/init.pp', './a/b/\n../x\n.git/config'],
  dictionary: ['../', './', '/', '//', '..', ' -> ', '.git', 'git~1', '\\', '\u200c', '\ufffd', '\n'],
  run(bytes) {
    for (const line of textOf(bytes).split('\n').slice(0, 200)) {
      const [name = '', linkname] = line.split(' -> ', 2)
      const plain = normalizeArchivePath(name)
      if ('path' in plain) mustBeInside(plain.path)
      for (const kind of /** @type {const} */ (['forge', 'tarball'])) {
        const type = linkname === undefined ? 'file' : 'symlink'
        const header = /** @type {any} */ ({ name, type, linkname, mode: 0o755, size: 3 })
        const file = allowing([PuppetError], () => toArchiveFile(header, kind))
        if (typeof file !== 'object') continue
        mustBeInside(file.path)
        must(file.path !== '', 'a file without a name')
        if (file.target !== undefined) mustBeInside(resolveLink(file.path, file.target) ?? '..')
      }
    }
  },
}

/** @param {string} path */
function mustBeInside(path) {
  const parts = path === '' ? [] : path.split('/')
  must(!parts.some((part) => ['', '.', '..'].includes(part)), `'${path}' is not plain`)
  must(!parts.some((part) => part.toLowerCase() === '.git'), `'${path}' is git's`)
  must(!/[\0-\x1f\\]/.test(path), `'${path}' has what no path has`)
}
