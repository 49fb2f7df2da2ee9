// The files that packages of all operating systems install: the executable, units, settings, manual pages, completion.
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { commands } from '#built/cli/commands.js'
import { collectLicences } from './licences.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The version of the program. */
export const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version

/** Files that an administrator changes, and that an upgrade keeps. */
export const configurationFiles = ['/etc/default/plumb-server', '/etc/logrotate.d/plumbline', '/etc/plumb/puppet.conf']

/**
 * Folders of completion scripts.
 * @typedef {{ readonly bash: string, readonly zsh: string, readonly fish: string }} CompletionFolders
 */

/**
 * Writes the files below a folder.
 * @param {string} stage
 * @param {{ program: string, target: string }} executable its path and target
 * @param {CompletionFolders} completion
 */
export function writeSystemFiles(stage, { program, target }, completion) {
  chmodSync(stage, 0o755)
  mkdirSync(join(stage, 'usr/bin'), { recursive: true })
  copyFileSync(program, join(stage, 'usr/bin/plumb'))
  chmodSync(join(stage, 'usr/bin/plumb'), 0o755)
  const from = join(root, 'ext/package')
  for (const name of readdirSync(join(root, 'ext/systemd')))
    put(stage, `usr/lib/systemd/system/${name}`, readFileSync(join(root, 'ext/systemd', name), 'utf8'))
  for (const [path, name] of [
    ['usr/lib/plumbline/package-folders.json', 'package-folders.json'],
    ['usr/lib/sysusers.d/plumbline.conf', 'sysusers.conf'],
    ['etc/plumb/puppet.conf', 'puppet.conf'],
    ['etc/default/plumb-server', 'plumb-server.default'],
    ['etc/logrotate.d/plumbline', 'logrotate'],
  ])
    put(stage, path, readFileSync(join(from, name), 'utf8'))
  // An empty environment, as in the package of Puppet Server, so that a first agent run gets a catalog.
  mkdirSync(join(stage, 'etc/plumb/code/environments/production'), { recursive: true })
  cpSync(join(root, 'docs'), join(stage, 'usr/share/doc/plumbline/manual'), { recursive: true })
  put(stage, 'usr/share/doc/plumbline/licences.txt', collectLicences(target))
  writeShellFiles(stage, completion)
}

/** @param {string} stage @param {CompletionFolders} completion */
function writeShellFiles(stage, completion) {
  /** @param {string[]} words */
  const print = (...words) =>
    execFileSync(process.execPath, [join(root, 'dist/main.js'), ...words], { encoding: 'utf8', env: { HOME: stage } })
  put(stage, 'usr/share/man/man1/plumb.1.gz', gzipSync(print('man'), { level: 9 }))
  for (const { name } of commands)
    put(stage, `usr/share/man/man1/plumb-${name}.1.gz`, gzipSync(print('man', name), { level: 9 }))
  put(stage, `${completion.bash}/plumb`, print('completion', 'bash'))
  put(stage, `${completion.zsh}/_plumb`, print('completion', 'zsh'))
  put(stage, `${completion.fish}/plumb.fish`, print('completion', 'fish'))
}

/**
 * Writes a file below a folder, and the folders that lead to it.
 * @param {string} stage
 * @param {string} path
 * @param {string | Uint8Array} content
 */
export function put(stage, path, content) {
  mkdirSync(dirname(join(stage, path)), { recursive: true })
  writeFileSync(join(stage, path), content)
}
