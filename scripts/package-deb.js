// Builds the Debian package: npm run package:deb [-- --output FOLDER]. It needs dpkg-deb, and no network: the program's
// packages are those of node_modules that are not for development alone.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { commands } from '#built/cli/commands.js'

const root = fileURLToPath(new URL('..', import.meta.url))
/** @type {Readonly<Record<string, string>>} Debian's names of Node's architectures. */
const architectures = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'armhf',
  ppc64: 'ppc64el',
  s390x: 's390x',
  riscv64: 'riscv64',
}
/** What of a package of npm nobody needs to run it: sources, types, maps. */
const notNeeded = /(?:\.(?:ts|mts|cts|map|md|markdown)|\/(?:tests?|docs?|examples?|\.github))$/
/** Large binaries that only development uses. */
const forDevelopment = /\/ruby\.debug\+stdlib\.wasm$|\.bare$/
/** Texts that stay whatever they are called: licences. */
const licence = /(?:licen[cs]e|copying|notice)/i

/**
 * Builds the package in a folder, and answers its path.
 * @param {string} output
 */
export function packageDeb(output) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const architecture = architectures[process.arch] ?? process.arch
  const stage = mkdtempSync(join(tmpdir(), 'plumbline-deb-'))
  try {
    chmodSync(stage, 0o755)
    program(stage)
    system(stage)
    documentation(stage, version)
    control(stage, { version, architecture })
    touchAll(stage)
    mkdirSync(output, { recursive: true })
    const file = join(output, `plumbline_${version}_${architecture}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z3', '--build', stage, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, SOURCE_DATE_EPOCH: String(lastChange()) },
    })
    return file
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

/** The program and the packages that it needs, below /usr/lib/plumbline. @param {string} stage */
function program(stage) {
  const home = join(stage, 'usr/lib/plumbline')
  mkdirSync(home, { recursive: true })
  for (const part of ['dist', 'hooks', 'environments.example', 'package.json', 'docs'])
    cpSync(join(root, part), join(home, part), {
      recursive: true,
      filter: (path) => !path.endsWith('.map') && !path.endsWith('.made-from'),
    })
  cpSync(join(root, 'ext/debian/package-folders.json'), join(home, 'package-folders.json'))
  const listed = execFileSync('npm', ['ls', '--omit=dev', '--all', '--parseable'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for (const path of listed.split('\n').filter((line) => line.includes('/node_modules/'))) {
    const inside = path.slice(root.length)
    // Of what is built for several C libraries, Debian's.
    if (existsSync(path) && !inside.endsWith('-musl'))
      cpSync(path, join(home, inside), { recursive: true, filter: (each) => isNeeded(each, path) })
  }
  mkdirSync(join(stage, 'usr/bin'), { recursive: true })
  symlinkSync('../lib/plumbline/dist/main.js', join(stage, 'usr/bin/plumb'))
}

/** @param {string} path @param {string} home */
function isNeeded(path, home) {
  const inside = path.slice(home.length)
  if (inside.startsWith('/node_modules') || forDevelopment.test(inside)) return false
  return !notNeeded.test(inside) || licence.test(basename(inside))
}

/** Units, the user, folders, and files that an administrator changes. @param {string} stage */
function system(stage) {
  /** @param {string} path @param {string} text */
  const put = (path, text) => {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    writeFileSync(join(stage, path), text)
  }
  const from = join(root, 'ext/debian')
  for (const name of readdirSync(join(root, 'ext/systemd')))
    put(`usr/lib/systemd/system/${name}`, readFileSync(join(root, 'ext/systemd', name), 'utf8'))
  put('usr/lib/sysusers.d/plumbline.conf', readFileSync(join(from, 'sysusers.conf'), 'utf8'))
  put('etc/plumb/puppet.conf', readFileSync(join(from, 'puppet.conf'), 'utf8'))
  // As Puppet Server's package has it: an empty environment, so that a first agent run gets a catalog.
  mkdirSync(join(stage, 'etc/plumb/code/environments/production'), { recursive: true })
  put('etc/default/plumb-server', readFileSync(join(from, 'plumb-server.default'), 'utf8'))
  put('etc/logrotate.d/plumbline', readFileSync(join(from, 'logrotate'), 'utf8'))
}

/** @param {string} stage @param {string} version */
function documentation(stage, version) {
  const place = join(stage, 'usr/share/doc/plumbline')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'copyright'), readFileSync(join(root, 'ext/debian/copyright'), 'utf8'))
  const date = new Date(lastChange() * 1000).toUTCString().replace('GMT', '+0000')
  const changes = `plumbline (${version}) unstable; urgency=medium\n\n  * See docs/ and CHANGELOG.md of the source.\n\n -- Plumbline <plumbline@localhost>  ${date}\n`
  writeFileSync(join(place, 'changelog.gz'), gzipSync(changes, { level: 9 }))
  symlinkSync('../../../lib/plumbline/docs', join(place, 'docs'))
  forTheShell(stage)
}

/** Manual pages and completion, printed by the program itself. @param {string} stage */
function forTheShell(stage) {
  /** @param {string[]} words */
  const printed = (...words) =>
    execFileSync(process.execPath, [join(root, 'dist/main.js'), ...words], { encoding: 'utf8', env: { HOME: stage } })
  /** @param {string} path @param {string | Uint8Array} content */
  const put = (path, content) => {
    mkdirSync(dirname(join(stage, path)), { recursive: true })
    writeFileSync(join(stage, path), content)
  }
  put('usr/share/man/man1/plumb.1.gz', gzipSync(printed('man'), { level: 9 }))
  for (const { name } of commands)
    put(`usr/share/man/man1/plumb-${name}.1.gz`, gzipSync(printed('man', name), { level: 9 }))
  put('usr/share/bash-completion/completions/plumb', printed('completion', 'bash'))
  put('usr/share/zsh/vendor-completions/_plumb', printed('completion', 'zsh'))
  put('usr/share/fish/vendor_completions.d/plumb.fish', printed('completion', 'fish'))
}

/** @param {string} stage @param {{ version: string, architecture: string }} about */
function control(stage, { version, architecture }) {
  const place = join(stage, 'DEBIAN')
  mkdirSync(place)
  const files = filesBelow(stage).filter((path) => !path.startsWith('DEBIAN/'))
  const regular = files.filter((path) => lstatSync(join(stage, path)).isFile())
  const kibibytes = Math.ceil(regular.reduce((sum, path) => sum + lstatSync(join(stage, path)).size, 0) / 1024)
  const text = readFileSync(join(root, 'ext/debian/control'), 'utf8')
  const filled = text
    .replaceAll('@VERSION@', version)
    .replaceAll('@ARCHITECTURE@', architecture)
    .replaceAll('@SIZE@', String(kibibytes))
  writeFileSync(join(place, 'control'), filled)
  writeFileSync(
    join(place, 'conffiles'),
    regular
      .filter((path) => path.startsWith('etc/'))
      .map((path) => `/${path}\n`)
      .join(''),
  )
  const sum = (path) =>
    createHash('md5')
      .update(readFileSync(join(stage, path)))
      .digest('hex')
  writeFileSync(
    join(place, 'md5sums'),
    regular
      .filter((path) => !path.startsWith('etc/'))
      .map((path) => `${sum(path)}  ${path}\n`)
      .join(''),
  )
  for (const script of ['postinst', 'prerm', 'postrm']) {
    writeFileSync(join(place, script), readFileSync(join(root, 'ext/debian', script)))
    chmodSync(join(place, script), 0o755)
  }
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder, at = folder) {
  return readdirSync(at, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((each) => {
      const path = join(at, each.name)
      return each.isDirectory() ? filesBelow(folder, path) : [relative(folder, path)]
    })
}

/** The same commit gives the same bytes: modes and times are the package's, not those of a checkout. @param {string} folder */
function touchAll(folder) {
  const time = lastChange()
  for (const path of filesBelow(folder)) {
    const file = join(folder, path)
    const stat = lstatSync(file)
    if (stat.isSymbolicLink()) continue
    chmodSync(file, (stat.mode & 0o100) === 0 ? 0o644 : 0o755)
    utimesSync(file, time, time)
  }
  chmodSync(join(folder, 'etc/plumb/puppet.conf'), 0o644)
}

/** Seconds since 1970 of the last commit. */
function lastChange() {
  const told = process.env['SOURCE_DATE_EPOCH']
  if (told !== undefined) return Number(told)
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const at = process.argv.indexOf('--output')
  console.log(packageDeb(at < 0 ? join(root, 'packages') : (process.argv[at + 1] ?? '.')))
}
