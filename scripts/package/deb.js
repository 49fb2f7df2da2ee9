// Builds the Debian package of an executable. Needs dpkg-deb, and no network.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { getCommitTime, listFiles, normalizeFiles } from './reproducible.js'
import { configurationFiles, put, version, writeSystemFiles } from './system-files.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** @type {Readonly<Record<string, string>>} Debian's names of architectures, by target. */
const architectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }

/**
 * Builds the package in a folder, and returns its path.
 * @param {string} output
 * @param {{ program: string, target: string }} executable
 */
export function packageDeb(output, { program, target }) {
  const architecture = architectures[target]
  const stage = mkdtempSync(join(tmpdir(), 'plumbline-deb-'))
  try {
    writeSystemFiles(
      stage,
      { program, target },
      {
        bash: 'usr/share/bash-completion/completions',
        zsh: 'usr/share/zsh/vendor-completions',
        fish: 'usr/share/fish/vendor_completions.d',
      },
    )
    const date = new Date(getCommitTime() * 1000).toUTCString().replace('GMT', '+0000')
    const changes = `plumbline (${version}) unstable; urgency=medium\n\n  * See docs/ and CHANGELOG.md of the source.\n\n -- Plumbline <plumbline@localhost>  ${date}\n`
    put(stage, 'usr/share/doc/plumbline/changelog.gz', gzipSync(changes, { level: 9 }))
    put(stage, 'usr/share/doc/plumbline/copyright', readFileSync(join(root, 'ext/debian/copyright'), 'utf8'))
    writeControl(stage, architecture)
    normalizeFiles(stage)
    mkdirSync(output, { recursive: true })
    const file = join(output, `plumbline_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', stage, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(getCommitTime()) },
    })
    return file
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** @param {string} stage @param {string} architecture */
function writeControl(stage, architecture) {
  const files = listFiles(stage)
  const sizes = files.map((path) => lstatSync(join(stage, path)).size)
  const kibibytes = Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024)
  const control = readFileSync(join(root, 'ext/debian/control'), 'utf8')
    .replaceAll('@VERSION@', version)
    .replaceAll('@ARCHITECTURE@', architecture)
    .replaceAll('@SIZE@', String(kibibytes))
  put(stage, 'DEBIAN/control', control)
  put(stage, 'DEBIAN/conffiles', configurationFiles.map((path) => `${path}\n`).join(''))
  /** @param {string} path */
  const digest = (path) =>
    createHash('md5')
      .update(readFileSync(join(stage, path)))
      .digest('hex')
  const others = files.filter((path) => !configurationFiles.includes(`/${path}`))
  put(stage, 'DEBIAN/md5sums', others.map((path) => `${digest(path)}  ${path}\n`).join(''))
  for (const script of ['postinst', 'prerm', 'postrm']) {
    writeFileSync(join(stage, 'DEBIAN', script), readFileSync(join(root, 'ext/debian', script)))
    chmodSync(join(stage, 'DEBIAN', script), 0o755)
  }
}
