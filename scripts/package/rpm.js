// Builds the rpm package of an executable. Needs rpmbuild, and no network.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getCommitTime, listFiles, normalizeFiles } from './reproducible.js'
import { configurationFiles, version, writeSystemFiles } from './system-files.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** @type {Readonly<Record<string, string>>} Architectures of rpm, by target. */
const architectures = { 'linux-x64': 'x86_64', 'linux-arm64': 'aarch64' }
/** Settings of rpmbuild for equal bytes, and for a program that is packed as it is. */
const macros = {
  _buildhost: 'localhost',
  use_source_date_epoch_as_buildtime: '1',
  clamp_mtime_to_source_date_epoch: '1',
  source_date_epoch_from_changelog: '0',
  _build_id_links: 'none',
  debug_package: '%{nil}',
  __os_install_post: '%{nil}',
  // Every supported rpm reads xz; SUSE 15 and Red Hat 8 write it by default.
  _binary_payload: 'w3.xzdio',
  _binary_filedigest_algorithm: '8',
}

/**
 * Builds the package in a folder, and returns its path.
 * @param {string} output
 * @param {{ program: string, target: string }} executable
 */
export function packageRpm(output, { program, target }) {
  const architecture = architectures[target]
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-rpm-'))
  const stage = join(folder, 'stage')
  try {
    mkdirSync(stage)
    writeSystemFiles(
      stage,
      { program, target },
      {
        bash: 'usr/share/bash-completion/completions',
        zsh: 'usr/share/zsh/site-functions',
        fish: 'usr/share/fish/vendor_completions.d',
      },
    )
    normalizeFiles(stage)
    const spec = readFileSync(join(root, 'ext/rpm/plumbline.spec'), 'utf8')
    writeFileSync(
      join(folder, 'plumbline.spec'),
      spec.replaceAll('@VERSION@', version).replaceAll('@STAGE@', stage).replaceAll('@FILES@', describeFiles(stage)),
    )
    const defined = { ...macros, _topdir: folder, _rpmdir: folder, _tmppath: folder, _rpmfilename: 'plumbline.rpm' }
    const definitions = Object.entries(defined).flatMap(([name, value]) => ['--define', `${name} ${value}`])
    execFileSync(
      'rpmbuild',
      ['-bb', '--quiet', '--target', architecture, ...definitions, join(folder, 'plumbline.spec')],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, SOURCE_DATE_EPOCH: String(getCommitTime()), HOME: folder },
      },
    )
    mkdirSync(output, { recursive: true })
    const file = join(output, `plumbline-${version}-1.${architecture}.rpm`)
    copyFileSync(join(folder, 'plumbline.rpm'), file)
    return file
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} stage */
function describeFiles(stage) {
  const files = listFiles(stage).map((path) => {
    if (configurationFiles.includes(`/${path}`)) return `%config(noreplace) "/${path}"`
    return path.startsWith('usr/share/doc/') ? `%doc "/${path}"` : `"/${path}"`
  })
  return [...files, '%dir /etc/plumb', '%dir /usr/lib/plumbline', '%dir /etc/plumb/code/environments/production'].join(
    '\n',
  )
}
